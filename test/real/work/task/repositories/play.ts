// Plays the task of a small repository with a model that works as real ones do, and the same work as a plain turn.
import os from "node:os";
import path from "node:path";
import type { StoredFact } from "../../../../../src/protocol/event.ts";
import { byResults, call, makeScene, type Scene, type Step } from "../../../../scenarios/scene.ts";
import { crew, type MissionScript, say } from "../../../../work/task/crew.ts";
import { look, taskId } from "../../../../work/task/tasks.ts";
import type { SmallRepository } from "./repository.ts";
import { installInto } from "./tools.ts";

export interface Figures {
  name: string;
  merged: boolean;
  rounds: number;
  plainRounds: number;
  /** To the person, beyond plan and result. */
  questions: number;
  amendments: number;
  /** Seconds: the whole task, what its commands took, and the same of the plain turn. */
  seconds: { task: number; commands: number; plain: number; plainCommands: number };
  /** What the program said, to see why. */
  told: string;
}

const both = (...steps: Step[]): Step => ({ ...steps[0], calls: steps.flatMap((step) => step.calls ?? []) });
const write = (path: string, content: string): Step => ({ calls: [call("write", { path, content })] });
const shell = (command: string): Step => ({ calls: [call("shell", { command })] });
const read = (path: string): Step => ({ calls: [call("read", { path })] });
const edit = ({ subject, change }: SmallRepository): Step => ({ calls: [call("edit", { path: subject, ...change })] });
const written = (repository: SmallRepository, by: "verifier" | "coder"): Step[] =>
  (repository.more ?? []).filter((file) => file.by === by).map(({ path, text }) => write(path, text));

/** As real models write it: `./` before paths, null for absent, a field more than asked, and a linter that nobody has looked for. */
function planOf({ subject, test, stack, testCommand, lint, one, more = [] }: SmallRepository, told: string): unknown {
  const linter = lint !== undefined && !told.includes(`${lint} cannot run here`) ? lint : null;
  return {
    summary: "Does what the request asks for",
    stack,
    confidence: 0.9,
    files: [
      { path: `./${test.path}`, action: "create", intent: "shows it", lines: null },
      ...more.map(({ path, intent }) => ({ path: `./${path}`, action: "modify", intent })),
      { path: `./${subject}`, action: "modify", intent: "does it" },
    ],
    test: { path: `./${test.path}`, subject: [`./${subject}`] },
    commands: { test: testCommand, lint: linter, compile: null, install: null },
    risks: [],
    acceptance: [{ claim: "what was asked for holds", command: one }],
    rollback: null,
  };
}

function missionsOf(repository: SmallRepository): Record<string, MissionScript> {
  const { subject, test, one, testCommand } = repository;
  return {
    architect: ({ said, prompt, users }) =>
      said === 0 && users.length === 1
        ? { ...both(read(subject), shell("git log --oneline | head -5")), say: "I look at what is there." }
        : say(planOf(repository, `${users.join("\n")}\n${prompt}`)),
    verifier: ({ said, visit }) => {
      const first = visit === 1 && test.first !== undefined;
      const steps = [
        both(...written(repository, "verifier"), write(test.path, first ? (test.first ?? "") : test.text)),
        ...(first ? [] : [shell(`${one} 2>&1 | tail -5`)]),
      ];
      return steps[said] ?? say("The test shows what was asked for.");
    },
    coder: ({ said }) =>
      [
        read(subject),
        { ...both(edit(repository), ...written(repository, "coder")), say: "One place is wrong; I change it." },
        shell(`${testCommand} 2>&1 | tail -20`),
      ][said] ?? say("Done: the test passes."),
    explorer: ({ prompt }) =>
      prompt.includes("What kind of task")
        ? say({ intent: "fix", confidence: 0.9, docsOnly: false, question: null })
        : say(`${subject} is what the request is about; its tests lie beside ${test.path}.`),
    auditor: () =>
      say({ constraints: [{ constraint: "as asked", kept: true, why: "the test shows it", severity: null }] }),
  };
}

/** Toolchains that lie in the person's home are found there; fettle's own places are the scene's. */
async function openWith(
  repository: Pick<SmallRepository, "stack" | "files" | "installed">,
  script: Parameters<typeof makeScene>[0],
): Promise<Scene> {
  const person = os.homedir();
  const tools = ["/usr/local/bin", "/usr/bin", "/bin", path.join(person, ".cargo/bin")];
  const PATH = [path.dirname(process.execPath), ...tools].join(path.delimiter);
  const env: Record<string, string> = { PATH, ...(repository.stack === "rust" && { HOME: person }) };
  const scene = await makeScene(script, { git: true, files: repository.files, env });
  if (repository.installed) installInto(scene.folder, repository.installed);
  return scene;
}

export const openRepository = (
  repository: Pick<SmallRepository, "stack" | "files" | "installed">,
  missions: Record<string, MissionScript>,
): Promise<Scene> => openWith(repository, crew(missions));

/** Seconds that its programs ran. */
async function commandSeconds(scene: Scene, session: string): Promise<number> {
  const lines = await scene.read("session.export", { session });
  const facts = lines.map((line) => JSON.parse(line) as StoredFact);
  const ran = facts.flatMap((fact) =>
    fact.type === "call.ended" && /^(?:shell|task)$/.test(fact.tool) ? [fact.ms] : [],
  );
  return ran.reduce((sum, ms) => sum + ms, 0) / 1000;
}

const patience = { timeoutMs: 300_000 };

export async function playTask(repository: SmallRepository): Promise<Omit<Figures, "plainRounds">> {
  await using scene = await openWith(repository, crew(missionsOf(repository)));
  const started = performance.now();
  const begun = await scene.run(["task", repository.request], patience);
  const id = taskId(begun.stderr);
  let told = begun.stderr;
  let last = begun;
  // The plan, the result, and whatever else would be asked.
  for (let answer = 0; answer < 4 && last.code === 3 && id !== ""; answer += 1) {
    last = await scene.run(["task", "approve", id], patience);
    told += last.stderr + last.stdout;
  }
  const task = (performance.now() - started) / 1000;
  if (id === "") return { ...nothing(repository.name), told };
  const view = await look(scene, id);
  const facts = (await scene.read("session.export", { session: view.session })).map(
    (line) => JSON.parse(line) as StoredFact,
  );
  // A paused approval is shown again when somebody comes; each that was answered beyond the first two is a question more.
  const isSignature = (fact: StoredFact) =>
    fact.type === "approval.asked" &&
    fact.request.action.kind === "task" &&
    /^(?:plan|merge)$/.test(fact.request.action.op);
  const others = facts.filter((fact) => /^(?:approval|question)\.asked$/.test(fact.type) && !isSignature(fact)).length;
  const replanned = view.task.replanned?.length ?? 0;
  const commands = await commandSeconds(scene, view.session);
  return {
    name: repository.name,
    merged: view.outcome?.kind === "merged",
    rounds: scene.server.requests.length,
    questions: others + replanned,
    amendments: view.task.amendments?.length ?? 0,
    seconds: { task, commands, plain: 0, plainCommands: 0 },
    told,
  };
}

const nothing = (name: string) => ({
  ...{ name, merged: false, rounds: 0, questions: 0, amendments: 0 },
  seconds: { task: 0, commands: 0, plain: 0, plainCommands: 0 },
});

/** The same steps of the same model, in one conversation, without a plan. */
export async function playPlain(
  repository: SmallRepository,
): Promise<{ rounds: number; seconds: number; commands: number }> {
  const { subject, test, one, testCommand, lint } = repository;
  const steps = [
    both(read(subject), shell("git log --oneline | head -5")),
    ...(test.first === undefined ? [] : [write(test.path, test.first), shell(`${one} 2>&1 | tail -5`)]),
    both(...written(repository, "verifier"), write(test.path, test.text)),
    shell(`${one} 2>&1 | tail -5`),
    { ...both(edit(repository), ...written(repository, "coder")), say: "One place is wrong; I change it." },
    shell(`${testCommand} 2>&1 | tail -20`),
    ...(lint === undefined ? [] : [shell(lint)]),
    { say: "Done: the test passes." },
  ];
  await using scene = await openWith(repository, byResults(...steps));
  const started = performance.now();
  await scene.run(["-p", repository.request], patience);
  const seconds = (performance.now() - started) / 1000;
  const [only] = await scene.read("session.list", { limit: 1 });
  return { rounds: scene.server.requests.length, seconds, commands: await commandSeconds(scene, only?.id ?? "") };
}

export async function play(repository: SmallRepository): Promise<Figures> {
  const task = await playTask(repository);
  const plain = await playPlain(repository);
  const seconds = { ...task.seconds, plain: plain.seconds, plainCommands: plain.commands };
  return { ...task, plainRounds: plain.rounds, seconds };
}

export function figuresText(all: readonly Figures[]): string {
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(32) : cell.padStart(12))).join("");
  const number = (value: number) => value.toFixed(1);
  return [
    line([
      "repository",
      "merged",
      "rounds",
      "plain",
      "ratio",
      "questions",
      "amendments",
      "task s",
      "commands s",
      "own s",
      "plain s",
    ]),
    ...all.map(({ name, merged, rounds, plainRounds, questions, amendments, seconds: { task, commands, plain } }) =>
      line([
        name,
        merged ? "yes" : "no",
        String(rounds),
        String(plainRounds),
        (rounds / plainRounds).toFixed(2),
        String(questions),
        String(amendments),
        number(task),
        number(commands),
        number(task - commands),
        number(plain),
      ]),
    ),
  ].join("\n");
}
