// Notes, seeds and threads: what somebody wrote down beside the phases, and what becomes of it.
import type { CapturedItem, PlanningStep } from "../../../protocol/project.ts";
import { splitFrontMatter } from "../../../extensions/markdown/front-matter.ts";
import { withHead } from "../formats/head-edit.ts";
import { fault, freeName, oneLine, slugOf } from "./naming.ts";
import { belowPlanning } from "../formats/workstream.ts";

type Texts = ReadonlyMap<string, string>;
interface Made {
  steps: PlanningStep[];
  activity: string;
}

const folders = { note: "notes", seed: "seeds", thread: "threads" } as const;

export async function capturedIn(texts: Texts): Promise<CapturedItem[]> {
  const found: CapturedItem[] = [];
  for (const [path, text] of texts)
    for (const kind of ["note", "seed", "thread"] as const) {
      if (!path.startsWith(`${folders[kind]}/`)) continue;
      const split = await splitFrontMatter(text);
      const { head, body } = "problem" in split ? { head: {} as Record<string, unknown>, body: text } : split;
      const named = typeof head["title"] === "string" ? head["title"] : /^\s*(?:#+\s*)?(\S.*)$/m.exec(body)?.[1];
      found.push({ kind, path: `.planning/${path}`, title: named?.trim() ?? path, status: statusOf(kind, head) });
    }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function statusOf(kind: CapturedItem["kind"], head: Readonly<Record<string, unknown>>): string {
  if (kind === "note") return head["promoted"] === true || head["promoted"] === "true" ? "promoted" : "open";
  const status = head["status"];
  return typeof status === "string" && status !== "" ? status : kind === "seed" ? "dormant" : "open";
}

/** By its file's name, a part of it, or its title; a Fault where that is none, or several. */
async function itemNamed(
  texts: Texts,
  kind: CapturedItem["kind"],
  given: string,
): Promise<[string, string, CapturedItem]> {
  const all = (await capturedIn(texts)).filter((item) => item.kind === kind);
  const exact = all.filter(({ path, title }) => path.endsWith(`/${given}`) || title === given);
  const found = exact.length > 0 ? exact : all.filter(({ path }) => given !== "" && path.includes(given));
  const [item] = found;
  const text = item && texts.get(belowPlanning(item.path));
  if (item && text !== undefined && found.length === 1) return [belowPlanning(item.path), text, item];
  const said = found.length > 1 ? `${given} names several.` : `There is no ${kind} ${given}.`;
  throw fault(`no-${kind}`, said, `List them: fettle project ${folders[kind]}`);
}

export const todoText = (title: string, body: string, at: string): string =>
  `---\ncreated: ${at}\ntitle: ${JSON.stringify(title)}\narea: general\nfiles: []\n---\n\n## Problem\n\n${body.trim()}\n`;

/** It becomes a todo, and says so. */
export async function promoted(texts: Texts, given: string, at: string): Promise<Made> {
  const [path, text, item] = await itemNamed(texts, "note", given);
  if (item.status === "promoted")
    throw fault("promoted", `${item.path} is a todo already.`, "List them: fettle project todos");
  const split = await splitFrontMatter(text);
  const body = "problem" in split ? text : split.body;
  const title = oneLine(item.title, "note");
  const name = freeName(
    texts,
    ["todos/pending", "todos/done", "todos/completed"],
    `${at.slice(0, 10)}-${slugOf(title)}`,
  );
  return {
    steps: [
      { kind: "write", path: `todos/pending/${name}`, text: todoText(title, body, at) },
      { kind: "write", path, text: withHead(text, { promoted: true }) },
    ],
    activity: `note promoted to a todo: ${title}`,
  };
}

export function planted(texts: Texts, given: { text: string; when?: string | undefined }, at: string): Made {
  const title = oneLine(given.text, "seed");
  const numbers = [...texts.keys()].map((path) => Number(/^seeds\/SEED-(\d+)/i.exec(path)?.[1] ?? 0));
  const id = `SEED-${String(Math.max(0, ...numbers) + 1).padStart(3, "0")}`;
  const when = given.when === undefined ? "not said" : oneLine(given.when, "condition");
  const head = ["---", `id: ${id}`, "status: dormant", `planted: ${at.slice(0, 10)}`].join("\n");
  const text = `${head}\ntrigger_when: ${JSON.stringify(when)}\n---\n\n# ${id}: ${title}\n\n## When to Surface\n\n${when}\n`;
  return {
    steps: [{ kind: "write", path: `seeds/${id}-${slugOf(title)}.md`, text }],
    activity: `seed planted: ${title}`,
  };
}

export function threadOf(texts: Texts, given: string, at: string): Made {
  const title = oneLine(given, "thread");
  const name = freeName(texts, ["threads"], slugOf(title));
  const day = at.slice(0, 10);
  const head = `---\nslug: ${name.slice(0, -3)}\ntitle: ${JSON.stringify(title)}\nstatus: open\ncreated: ${day}\nupdated: ${day}\n---`;
  const text = `${head}\n\n# Thread: ${title}\n\n## Goal\n\n${given.trim()}\n\n## Context\n\n## References\n\n## Next Steps\n`;
  return { steps: [{ kind: "write", path: `threads/${name}`, text }], activity: `thread created: ${title}` };
}

/** What it says is what whoever goes on reads first. */
export async function resumed(texts: Texts, given: string, at: string): Promise<Made> {
  const [path, text, item] = await itemNamed(texts, "thread", given);
  const values = { status: "in_progress", updated: at.slice(0, 10) };
  return {
    steps: [{ kind: "write", path, text: withHead(text, values) }],
    activity: `thread resumed: ${oneLine(item.title, "thread")}`,
  };
}

export async function closed(texts: Texts, given: string, at: string): Promise<Made> {
  const [path, text, item] = await itemNamed(texts, "thread", given);
  const values = { status: "resolved", updated: at.slice(0, 10) };
  return {
    steps: [{ kind: "write", path, text: withHead(text, values) }],
    activity: `thread closed: ${oneLine(item.title, "thread")}`,
  };
}
