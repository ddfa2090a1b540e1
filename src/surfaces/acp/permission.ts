// The gate's question as a permission request: the exact command, its folder and its digest, the card, and the answers.
import type { PermissionOption, RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { escapeLine } from "../../base/escape.ts";
import { shellWord } from "../../base/shell-word.ts";
import type { ApprovalAnswer, ApprovalRequest } from "../../protocol/approval.ts";
import type { EditorWords } from "./editor-host.ts";
import { words as said } from "./words.ts";
import { diffContents, fenced, kindOf, locationsOf, type Places, textContent } from "./tool-call.ts";

/** What is run, or has run on a layer, exactly; undefined where nothing is. */
function commandOf({ action, held }: ApprovalRequest): string | undefined {
  if (held) return held.command;
  if (action.kind === "shell") return action.command;
  return action.kind === "program" ? action.argv.map(shellWord).join(" ") : undefined;
}

export function permissionOptions({ sessionScope, sessionLike, always }: ApprovalRequest): PermissionOption[] {
  return [
    { optionId: "approve", name: said.allowOnce, kind: "allow_once" },
    ...(sessionScope === undefined
      ? []
      : [{ optionId: "session", name: said.allowSession, kind: "allow_always" as const }]),
    ...(sessionLike === undefined
      ? []
      : [
          {
            optionId: "like",
            name: said.allowLike(escapeLine(sessionLike.pattern)),
            kind: "allow_always" as const,
          },
        ]),
    ...(always === undefined
      ? []
      : [
          {
            optionId: "always",
            name: said.allowAlways(escapeLine(always.file)),
            kind: "allow_always" as const,
          },
        ]),
    { optionId: "deny", name: said.reject, kind: "reject_once" },
  ];
}

const kinds = ["approve", "session", "like", "always", "deny"] as const;

/** Undefined for an option that was not offered: nobody is taken to have approved by it. */
export function answerOf(request: ApprovalRequest, optionId: string): ApprovalAnswer | undefined {
  const kind = kinds.find((each) => each === optionId);
  const offered = permissionOptions(request).some((option) => option.optionId === optionId);
  return kind === undefined || !offered ? undefined : { kind };
}

interface PermissionContext {
  session: string;
  /** Under which the editor knows the call. */
  callId: string;
  places: Places;
  words: EditorWords;
}

export function permissionRequest(request: ApprovalRequest, context: PermissionContext): RequestPermissionRequest {
  const { session, callId, places, words } = context;
  const { action, digest, nonce, risk, tool, always, claim } = request;
  const command = commandOf(request);
  const shown = command?.split("\n").map(escapeLine).join("\n");
  const card = words.card({ ...request, diff: { files: [] } });
  const rule = always === undefined ? [] : [said.alwaysAdds(escapeLine(always.file)), fenced(always.text)];
  const text = [
    ...(shown === undefined ? [] : [fenced(shown, "sh")]),
    `${said.folder}: \`${escapeLine(places.cwd)}\`${request.agent === undefined ? "" : said.copyOf}  \n${said.digest}: \`${digest}\``,
    fenced(card.join("\n")),
    ...rule,
  ].join("\n\n");
  return {
    sessionId: session,
    toolCall: {
      toolCallId: callId,
      title: words.safe(words.callTitle(tool, action, undefined)),
      name: tool,
      kind: kindOf(action, tool),
      status: "pending",
      locations: locationsOf(action, places),
      content: [textContent(text), ...diffContents(request.diff, places)],
      rawInput: {
        tool,
        ...(command !== undefined && { command }),
        folder: places.cwd,
        digest,
        risk,
        nonce,
        action,
        ...(claim !== undefined && { claim }),
      },
    },
    options: permissionOptions(request),
  };
}
