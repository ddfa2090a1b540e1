// `/task`: begin a task within the session, or look at and answer those that there are.
import { shownLines } from "../task/shown.ts";
import { hasCommitted, renderTasks } from "../task/drawing.ts";
import { safeLine } from "../text/safe-text.ts";
import { wrap } from "../text/width.ts";
import { chosenTask } from "../task/meant.ts";
import { tasks as words } from "../words/tasks.ts";
import type { SlashHost } from "./slash-host.ts";

/** What a task's name looks like: any other word makes the argument a ticket. */
const id = /^[0-9a-f]{3,8}$/;

export async function slashTask(host: SlashHost, argument: string): Promise<void> {
  const [word = "", name = "", ...rest] = argument.split(/\s+/);
  const named = id.test(name) ? name : undefined;
  const said = rest.join(" ");
  const alone = argument === word;
  if (argument === "" || argument === "list") return list(host);
  if (word === "approve" && (alone || named)) return answer(host, named, said);
  if (alone && (word === "show" || word === "resume")) return newest(host, word);
  if (word === "show" && named) return show(host, named, rest);
  if (parts.includes(word) && named && said === "") return show(host, named, [word]);
  if (word === "resume" && named && said === "") return host.task({ type: "task.resume", task: named });
  if (word === "reject" && named && said !== "")
    return host.task({ type: "task.resume", task: named, answer: { kind: "deny", reason: said } });
  if (word === "replan" && named && said !== "")
    return host.task({ type: "task.resume", task: named, otherwise: unquoted(said) });
  if ((word === "abandon" || word === "cancel") && named && said === "") return cancel(host, named);
  if (rest.length === 0 && commands.includes(word)) return usage(host);
  if ((alone || (named && said === "")) && [...parts, "deny", "stop"].includes(word)) return usage(host);
  return host.task({ type: "task.start", text: unquoted(argument), strict: false, merge: true });
}

const parts = ["plan", "diff", "evidence"];
/** Words that begin no ticket, alone or before one more word. */
const commands = ["show", "resume", "reject", "replan", "abandon", "cancel", "watch", "replay"];

const unquoted = (text: string): string => /^"([^"]*)"$/.exec(text)?.[1] ?? text;

const usage = ({ console }: SlashHost): void => console.print(wrap(words.slashUsage, console.look.width));

async function list({ client, console }: SlashHost): Promise<void> {
  const rows = await client.read("task.list", { limit: 15 });
  const lines = rows.length === 0 ? [words.none] : renderTasks(rows, console.look, Date.now());
  const usage = rows.length > 0 ? [] : ["", ...wrap(words.slashUsage, console.look.width).map(console.look.style.dim)];
  console.print(["", ...lines, ...usage]);
}

/** Without a name the newest one, as `fettle task show` and `fettle task resume` take it. */
async function newest(host: SlashHost, word: "show" | "resume"): Promise<void> {
  const task = chosenTask(await host.client.read("task.list", { limit: 100 }), word);
  if (!task) host.console.print([word === "show" ? words.none : words.noneOpen]);
  else if (word === "show") await show(host, task.id, []);
  else await host.task({ type: "task.resume", task: task.id });
}

async function show({ client, console }: SlashHost, task: string, asked: readonly string[]): Promise<void> {
  const wants = (part: string) => asked.includes(part) || asked.includes(`--${part}`);
  const wanted = { plan: wants("plan"), diff: wants("diff"), evidence: wants("evidence") };
  console.print(["", ...(await shownLines(client, await client.read("task.show", { task }), wanted, console.look))]);
}

/** Without words, the task is gone on with and asks here; with words, they are what should be otherwise. */
async function answer(host: SlashHost, named: string | undefined, changes: string): Promise<void> {
  const waiting = (await host.client.read("task.list", { limit: 100 })).filter(
    ({ unsigned }) => unsigned !== undefined,
  );
  const [only] = waiting;
  const task = named ?? (waiting.length === 1 ? only?.id : undefined);
  if (task === undefined) {
    host.console.print([
      only ? words.severalWait(waiting.length) : words.noneWaits,
      ...waiting.map((row) => `  ${row.id}  ${safeLine(row.text)}`),
    ]);
    return;
  }
  const said = changes === "" ? {} : { answer: { kind: "deny" as const, reason: changes, revise: true } };
  await host.task({ type: "task.resume", task, ...said });
}

async function cancel({ client, console }: SlashHost, task: string): Promise<void> {
  const view = await client.read("task.show", { task });
  await client.send({ type: "task.cancel", task: view.id });
  console.print([words.cancelled(view.id, hasCommitted(view))]);
}
