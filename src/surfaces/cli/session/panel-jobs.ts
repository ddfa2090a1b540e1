// `/jobs` and `/todo`: what runs in the background, and what is to do.
import type { JobRow } from "../../../protocol/job.ts";
import { duration } from "../text/amounts.ts";
import { safeLine, safeText } from "../text/safe-text.ts";
import type { Console } from "../terminal/console.ts";
import { renderTodo } from "../render/notice.ts";
import type { SlashHost } from "./slash-host.ts";
import { words } from "./panel-words.ts";

const stateText = ({ state, code, startedAt }: JobRow): string => {
  const since = state === "running" ? duration(Date.now() - startedAt) : "";
  const exit = state === "exited" && code !== undefined && code !== null ? words.jobExit(code) : "";
  return [words.jobState[state], since, exit].filter(Boolean).join(", ");
};

const outputLines = async ({ client }: SlashHost, job: string): Promise<string[]> => {
  const { output } = await client.read("session.job", { job });
  const text = safeText(output).trimEnd();
  return text === "" ? [words.noOutput] : text.split("\n");
};

export async function jobsPanel(host: SlashHost): Promise<void> {
  const { client, console, signal } = host;
  const rows = await client.read("session.jobs", {});
  if (rows.length === 0) {
    console.print([words.noJobs]);
    return;
  }
  const pick: Console["pick"] = console.pick?.bind(console);
  if (!pick) {
    console.print([
      "",
      ...rows.map((row) => `${row.id}  ${safeLine(row.command)}  ${console.look.style.dim(stateText(row))}`),
    ]);
    return;
  }
  const picked = await pick(
    {
      title: words.jobs,
      hint: words.jobsHint,
      nothing: words.nothing,
      keys: ["x"],
      items: async (query) =>
        (await client.read("session.jobs", {}))
          .filter(({ command }) => command.toLowerCase().includes(query.toLowerCase()))
          .map((row) => ({ value: row.id, label: `${row.id}  ${safeLine(row.command)}`, what: stateText(row) })),
      preview: async (job) => (await outputLines(host, job)).slice(-8),
    },
    signal,
  );
  if (!picked) return;
  if (picked.key === "x") {
    await client.send({ type: "job.stop", job: picked.value });
    console.print([words.jobStopped(picked.value)]);
  } else console.print(["", ...(await outputLines(host, picked.value))]);
}

export async function todo({ client, console }: SlashHost): Promise<void> {
  const { todo: items } = await client.read("session.view", {});
  console.print(items.length === 0 ? [words.noTodo] : ["", ...renderTodo(items, console.look)]);
}
