import guide from "../../../../docs/guide/tasks.md";
import type { RepositoryMap } from "../../../protocol/task.ts";
import { mapRepository, mapText } from "../checks/discovery.ts";
import { onlyAnswers } from "../machine/intent.ts";
import type { StateOutcome, TaskState, Work } from "../work/work.ts";
import { cutOff } from "./pauses.ts";
import { unclean } from "./unclean.ts";

/** Builds the repository map. What only asks is answered here, by a mission that reads. */
export const repoDiscovery: TaskState = {
  name: "REPO_DISCOVERY",
  async work(work) {
    const { repository, task } = work;
    if ((await repository.commit("HEAD")) === undefined)
      return {
        pause: `A task needs a git repository with at least one commit. Make one, then: fettle task resume ${task.id}`,
      };
    const map = await mapRepository(repository, "HEAD");
    if (task.intent && onlyAnswers(task.intent.intent)) return answered(work, map);
    const stop = await unclean(work);
    if (stop) return stop;
    const stacks = map.stacks.length > 0 ? map.stacks.join(", ") : "no known stack";
    return { to: "REHEARSAL", patch: { map }, detail: `${map.files} files, ${stacks}` };
  },
};

async function answered(work: Work, map: RepositoryMap): Promise<StateOutcome> {
  const { request, intent, feedback = [] } = work.task;
  const { text, source } = request;
  const parts = [
    "Answer the person.",
    ...(intent?.intent === "meta" ? [aboutFettle(work)] : []),
    `The repository:\n${mapText(map)}`,
    ...feedback,
    `The question:${source === undefined ? `\n${text}` : ""}`,
  ];
  const end = await work.send({
    mission: "explorer",
    text: parts.join("\n\n"),
    ...(source !== undefined && { data: { text, source } }),
  });
  if (end.stop.kind !== "done") return cutOff(work, "There is no answer yet", end.stop);
  return {
    to: "ANSWERED",
    patch: { map, outcome: { kind: "answered", text: end.text } },
    detail: "answered; nothing was changed",
  };
}

/** What fettle says of its tasks to people, and how it is set here; anything else it should not claim. */
function aboutFettle({ world: { settings } }: Work): string {
  const { maxFiles, stateMs, capMs, confidence, repairs } = settings;
  const minutes = (ms: number) => Math.round(ms / 60_000);
  return [
    "The question is about fettle, the program that you work in. Answer from its guide and settings below; say so where they do not tell.",
    `Settings here: task.max_files ${maxFiles}, task.state_minutes ${minutes(stateMs)}, task.cap_minutes ${minutes(capMs)}, task.confidence ${confidence}, task.repairs ${repairs}.`,
    guide,
  ].join("\n\n");
}
