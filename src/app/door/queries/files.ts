// What a person names with @: completed from the workspace, read as data; secrets stay out.
import path from "node:path";
import { Fault } from "../../../base/fault.ts";
import { nearest } from "../../../base/fuzzy.ts";
import { namedResource } from "../../../base/mcp-names.ts";
import { assess } from "../../../guard/assess/assess.ts";
import { createFirewall } from "../../../guard/firewall/firewall.ts";
import { readBytes } from "../../../io/files/bytes.ts";
import { findFiles } from "../../../io/files/search.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Answer } from "../../../protocol/query.ts";
import { fileKind } from "../../../tools/file-kind.ts";
import { factsOf } from "../../program/machine.ts";
import { firewallKey } from "../../program/keys.ts";
import type { Program } from "../../program/program.ts";

const mostText = 64 * 1024;
const mostImage = 5 * 1024 * 1024;
const images: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

/** Workspace files whose path has the letters of the prefix in their order, the nearest first; at most 20. */
export async function complete(program: Program, prefix: string): Promise<string[]> {
  const paths = await pathsOf(program);
  const begins = paths.filter((each) => each.startsWith(prefix));
  const others = paths.filter((each) => !each.startsWith(prefix));
  return [...begins.slice(0, shownPaths), ...nearest(others, prefix, (each) => each, shownPaths)].slice(0, shownPaths);
}

const shownPaths = 20;
/** Somebody who types asks with every letter. */
const listedMs = 3_000;
const listed = new WeakMap<Program, { at: number; paths: Promise<readonly string[]> }>();

function pathsOf(program: Program): Promise<readonly string[]> {
  const known = listed.get(program);
  if (known && performance.now() - known.at < listedMs) return known.paths;
  const find = findFiles(program.workspace, { path: ".", limit: 20_000 }, () => false);
  const paths = find.then((found) => found.paths);
  listed.set(program, { at: performance.now(), paths });
  return paths;
}

const mostOutput = 1024 * 1024;

/** It was kept without secrets. */
export async function output({ project }: Program, handle: string): Promise<Answer<"session.output">> {
  const file = path.join(project.spills, handle);
  const look = /^out-[0-9a-f]{12}$/.test(handle)
    ? await readBytes(file, { limit: 0 }).catch(() => undefined)
    : undefined;
  if (!look) throw new Fault("output.gone", Exit.usage, "This output is not kept any more.", "Run the command again.");
  const offset = Math.max(0, look.size - mostOutput);
  const { bytes, size } = await readBytes(file, { offset, limit: mostOutput });
  return { text: new TextDecoder().decode(bytes), size };
}

export async function mention(program: Program, name: string): Promise<Answer<"files.mention">> {
  const server = namedResource(name)?.server.toLowerCase();
  if (server !== undefined && program.config().mcp.servers.some((each) => each.name.toLowerCase() === server))
    return { server };
  const facts = factsOf(program);
  const file = path.resolve(program.cwd, name);
  const { risk, reasons } = assess({ kind: "read", path: file }, facts);
  const mime = images[path.extname(file).toLowerCase()];
  // A person shows what lies on their desktop: an image, and nothing that is called one.
  const shown = mime !== undefined && reasons.every(({ code }) => code === "path.outside");
  if (risk !== "L0" && !shown) return { problem: reasons.map((reason) => reason.text).join("; ") };
  const read = await readBytes(facts.path(file).real, { limit: mime ? mostImage : mostText }).catch(() => undefined);
  if (!read) return { problem: "there is no file that can be read" };
  if (mime && read.size > mostImage) return { problem: "it is larger than 5 MB" };
  if (mime && risk !== "L0" && fileKind(read.bytes).kind !== "image") return { problem: "it is no image" };
  if (mime) return { image: { mime, data: Buffer.from(read.bytes).toString("base64") } };
  if (read.bytes.includes(0)) return { problem: "it is a binary file" };
  const { text } = createFirewall(firewallKey(program.places)).redact(new TextDecoder().decode(read.bytes));
  if (read.size <= mostText) return { text };
  return { text: `${text}\n(cut after ${mostText} of ${read.size} bytes)`, cut: { shown: mostText, size: read.size } };
}
