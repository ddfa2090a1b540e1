// The outline of the workspace before a conversation, where a person wants it and there is an index (docs/guide/context.md).
import { existsSync } from "node:fs";
import path from "node:path";
import { bytesPerToken } from "../../engine/context/window.ts";
import type { Session } from "../../engine/session/session.ts";
import { suspicions, wrapAsData } from "../../guard/firewall/data.ts";
import type { TaintedFiles } from "../../guard/contract/ports.ts";
import type { Gate } from "../../guard/gate.ts";
import { indexFile } from "../../memory/index/place.ts";
import { outlineOf } from "../../memory/map/outline.ts";
import type { Message } from "../../protocol/message.ts";
import { textResult } from "../../protocol/outcome.ts";
import { indexKeeper } from "../program/code-index.ts";
import type { Program } from "../program/program.ts";

export interface OutlineParts {
  program: Program;
  session: Session;
  files: Pick<TaintedFiles, "among">;
  gate(): Promise<Gate>;
}

/** A first request waits no longer for it. */
const patienceMs = 1_500;

/** Undefined: there is no index, it is not built yet, or not all of the project fits and nobody wants a part. */
export async function repositoryMap({ program, session, files, gate }: OutlineParts): Promise<Message | undefined> {
  const { repository_map: way, repository_map_tokens: tokens } = program.config().settings.context;
  const isBuilt = existsSync(indexFile(program.places.state, program.workspace));
  if (way === "never" || program.incognito || !isBuilt) return undefined;
  const call = {
    ...{ id: `outline-${session.state.seq}`, tool: "find", origin: "fettle" as const },
    action: { kind: "search" as const, path: ".", contents: true },
  };
  const asked = await gate();
  if (asked.prepare(call).decision.verdict !== "allow") return undefined;
  let message: Message | undefined;
  const look = async () => {
    const keeper = await indexKeeper(program);
    if (await keeper.fresh(patienceMs)) return textResult("The index is still being built");
    const map = keeper.index.map();
    const { text, shown, all } = outlineOf(map, tokens * bytesPerToken);
    if (shown === 0 || (way === "auto" && shown < all)) return textResult(`${shown} of ${all} files fit`);
    const places = map.map((file) => path.join(program.workspace, file.path));
    const tainted = files.among(places, "");
    const found = await suspicions(text);
    const source = tainted ?? (found.length > 0 ? "the outline of the project" : undefined);
    const why = found.length > 0 ? found.join(", ") : "written by a session that had read text from outside";
    if (source !== undefined) session.append({ type: "taint.raised", source, why });
    const part = shown < all ? `The ${shown} most imported of ${all} source files` : `All ${all} source files`;
    const head = `${part} of the workspace, by folder, each with what it exports, as this session began:`;
    message = {
      role: "user",
      by: "note",
      content: [{ type: "text", text: `${head}\n${wrapAsData(text, "outline", found)}` }],
    };
    return textResult(`${shown} of ${all} files`);
  };
  await asked.pass(call, look, new AbortController().signal);
  return message;
}
