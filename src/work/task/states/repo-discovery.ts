import type { RepositoryMap } from "../../../protocol/task.ts";
import { mapRepository, mapText } from "../discovery.ts";
import { onlyAnswers } from "../intent.ts";
import type { Came, TaskState, Work } from "../work.ts";

/** Builds the repository map. What only asks is answered here, by a mission that reads. */
export const repoDiscovery: TaskState = {
  name: "REPO_DISCOVERY",
  async work(work) {
    const { repository, task } = work;
    if ((await repository.commit("HEAD")) === undefined)
      return { to: "FAILED", detail: "A task needs a git repository with at least one commit." };
    const map = await mapRepository(repository, "HEAD");
    if (task.intent && onlyAnswers(task.intent.intent)) return answered(work, map);
    const stacks = map.stacks.length > 0 ? map.stacks.join(", ") : "no known stack";
    return { to: "PLANNING", patch: { map }, detail: `${map.files} files, ${stacks}` };
  },
};

async function answered(work: Work, map: RepositoryMap): Promise<Came> {
  const { text, source } = work.task.request;
  const end = await work.send({
    mission: "explorer",
    text: `Answer the person.\n\nThe repository:\n${mapText(map)}\n\nThe question:${source === undefined ? `\n${text}` : ""}`,
    ...(source !== undefined && { data: { text, source } }),
  });
  if (end.stop.kind !== "done") return { to: "FAILED", detail: end.stop.text };
  return {
    to: "ANSWERED",
    patch: { map, outcome: { kind: "answered", text: end.text } },
    detail: "answered; nothing was changed",
  };
}
