// Everything that is said in German: a file for each room. A room without one does not compile.
import type { Room } from "../../phrases/rooms.ts";
import { amounts } from "./amounts.ts";
import { commands } from "./commands.ts";
import { general } from "./general.ts";
import { headings } from "./headings.ts";
import { options } from "./options.ts";
import { program } from "./program.ts";

/** Not translated yet: English there. The list only gets shorter. */
type NotYet =
  | "acp"
  | "agents"
  | "agentsCommand"
  | "approvals"
  | "approvalsCommand"
  | "approvalsAnswer"
  | "approvalsApprove"
  | "approvalsDeny"
  | "audit"
  | "auditKeys"
  | "auditRecord"
  | "batch"
  | "completions"
  | "config"
  | "context"
  | "cost"
  | "demo"
  | "demoSample"
  | "demoTask"
  | "doctor"
  | "explain"
  | "hooks"
  | "identity"
  | "interactive"
  | "login"
  | "logout"
  | "models"
  | "modelsList"
  | "modelsProbe"
  | "modes"
  | "policy"
  | "policyFiles"
  | "policyReplay"
  | "policySuggest"
  | "record"
  | "rewind"
  | "router"
  | "routerWords"
  | "scan"
  | "scanInjection"
  | "scanLeftOut"
  | "scanPackages"
  | "scanSecrets"
  | "schema"
  | "session"
  | "sessions"
  | "slashPolicy"
  | "stop"
  | "task"
  | "taskLook"
  | "taskStart"
  | "tasks"
  | "times"
  | "trust"
  | "update";

export const german: Record<Exclude<Room, NotYet>, object> = {
  amounts,
  commands,
  general,
  headings,
  options,
  program,
};
