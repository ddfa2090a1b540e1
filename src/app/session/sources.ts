// The workspace's sources, whole, in front of a conversation: where they fit, and a person wants it (docs/guide/context.md).
import path from "node:path";
import { bytesPerToken } from "../../engine/context/window.ts";
import type { Session } from "../../engine/session/session.ts";
import { suspicions, wrapAsData } from "../../guard/firewall/data.ts";
import type { Firewall } from "../../guard/firewall/firewall.ts";
import type { Gate } from "../../guard/gate.ts";
import type { GrantedFiles } from "../../guard/contract/grant.ts";
import type { TaintedFiles } from "../../guard/contract/ports.ts";
import type { Settings } from "../../io/config/settings.ts";
import { statsOf } from "../../io/files/regular.ts";
import type { Message, Part } from "../../protocol/message.ts";
import { textResult } from "../../protocol/outcome.ts";
import { fileKind } from "../../tools/file-kind.ts";

export interface SourcesParts {
  session: Session;
  settings: Settings["context"];
  workspace: string;
  firewall: Firewall;
  files: Pick<TaintedFiles, "among">;
  gate(): Promise<Gate>;
  /** Tokens of the model's window. */
  window(): Promise<number>;
}

interface SourceFile {
  path: string;
  text: string;
  size: number;
  mtimeMs: number;
}

/** SETTLED 14. */
const mostOfWindow = 0.6;
const mostFiles = 2_000;
/** What tools write for tools. */
const generated =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|[^/]+\.lock|go\.sum|[^/]+\.min\.(js|css)|[^/]+\.map|[^/]+\.svg)$/;

/** Read once in a session: what stands before a conversation never changes; what becomes of the files is told. */
export class Sources {
  readonly #parts: SourcesParts;
  #message: Promise<Message | undefined> | undefined;
  #files: SourceFile[] = [];
  #told = new Set<string>();

  constructor(parts: SourcesParts) {
    this.#parts = parts;
  }

  message(): Promise<Message | undefined> {
    this.#message ??= this.#read();
    return this.#message;
  }

  /** Files that are no longer as they stand before the conversation, each told once. */
  news(): string | undefined {
    const changed = this.#files.filter((file) => !this.#told.has(file.path) && this.#isOther(file));
    if (changed.length === 0) return undefined;
    for (const file of changed) this.#told.add(file.path);
    const names = changed.map((file) => file.path).join(", ");
    return `Of the sources at the beginning these have changed since: ${names}. Read them before you rely on them.`;
  }

  #isOther({ path: name, size, mtimeMs }: SourceFile): boolean {
    const now = statsOf(path.join(this.#parts.workspace, name));
    return now === undefined || now.size !== size || now.mtimeMs !== mtimeMs;
  }

  async #read(): Promise<Message | undefined> {
    const { settings, gate } = this.#parts;
    if (settings.whole_codebase === "never") return undefined;
    const fitting = Math.floor((await this.#parts.window()) * mostOfWindow);
    const tokens = settings.whole_codebase === "always" ? fitting : Math.min(fitting, settings.whole_codebase_tokens);
    const found = await collect(await gate(), this.#parts.session, tokens * bytesPerToken);
    if ("problem" in found) {
      if (settings.whole_codebase === "always") this.#tell(`${found.problem} (context.whole_codebase).`);
      return undefined;
    }
    this.#files = found.files;
    this.#inherit(found.files);
    return found.files.length === 0 ? undefined : this.#asMessage(found.files);
  }

  async #asMessage(files: readonly SourceFile[]): Promise<Message> {
    const head = `All ${files.length} source files of the workspace, as they were when this session began:`;
    const content: Part[] = [{ type: "text", text: head }];
    for (const file of files) {
      const { text } = this.#parts.firewall.redact(file.text);
      const found = await suspicions(text);
      if (found.length > 0)
        this.#parts.session.append({ type: "taint.raised", source: file.path, why: found.join(", ") });
      content.push({ type: "text", text: wrapAsData(text, file.path, found) });
    }
    return { role: "user", by: "note", content };
  }

  /** Files of a tainted session are what it read, whoever reads them and how. */
  #inherit(read: readonly SourceFile[]): void {
    const { session, files, workspace } = this.#parts;
    const places = read.map((file) => path.join(workspace, file.path));
    const source = files.among(places, "");
    const why = "written by a session that had read text from outside";
    if (source !== undefined) session.append({ type: "taint.raised", source, why });
  }

  #tell(text: string): void {
    this.#parts.session.append({ type: "notice.given", code: "context.sources", level: "warning", text });
  }
}

type Collected = { files: SourceFile[] } | { problem: string };

/** By one call through the gate, which leaves out what is sensitive; ignored, binary and generated files do not count. */
async function collect(gate: Gate, session: Session, most: number): Promise<Collected> {
  const call = {
    ...{ id: `sources-${session.state.seq}`, tool: "read", origin: "fettle" as const },
    action: { kind: "search" as const, path: ".", contents: true },
  };
  if (gate.prepare(call).decision.verdict !== "allow") return { problem: "The sources may not be read unasked" };
  let collected: Collected = { problem: "The sources could not be read" };
  await gate.pass(
    call,
    async ({ files }) => {
      collected = await within(files, most);
      return textResult("problem" in collected ? collected.problem : `${collected.files.length} files`);
    },
    new AbortController().signal,
  );
  return collected;
}

async function within(files: GrantedFiles, most: number): Promise<Collected> {
  const { paths, more } = await files.find({ path: ".", limit: mostFiles });
  const tooMany = { problem: `The sources take more than ${Math.round(most / bytesPerToken / 1000)}k tokens` };
  if (more) return tooMany;
  const found: SourceFile[] = [];
  let left = most;
  for (const name of paths.filter((each) => !generated.test(each))) {
    const { bytes, size, mtimeMs } = await files.read(name, { limit: left + 1 });
    if (fileKind(bytes).kind !== "text") continue;
    left -= size + name.length + 40;
    if (left < 0) return tooMany;
    found.push({ path: name, text: new TextDecoder().decode(bytes), size, mtimeMs });
  }
  return { files: found };
}
