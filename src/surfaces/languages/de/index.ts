// Everything that is said in German: a file for each room. A room without one does not compile.
import type { Room } from "../../phrases/rooms.ts";
import { acp } from "./acp.ts";
import { amounts } from "./amounts.ts";
import { commands } from "./commands.ts";
import { explain } from "./explain.ts";
import { general } from "./general.ts";
import { headings } from "./headings.ts";
import { hooks } from "./hooks.ts";
import { options } from "./options.ts";
import { program } from "./program.ts";
import { sessions } from "./sessions.ts";
import { stop } from "./stop.ts";
import { task } from "./task.ts";
import { taskLook } from "./task-look.ts";
import { taskStart } from "./task-start.ts";
import { trust } from "./trust.ts";
import { update } from "./update.ts";
import { setup } from "./setup.ts";

/** Not translated yet: English there. The list only gets shorter. */
type NotYet =
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
  | "slashPolicy"
  | "tasks"
  | "times";

export const german: Record<Exclude<Room, NotYet>, object> = {
  acp,
  amounts,
  commands,
  explain,
  general,
  headings,
  hooks,
  options,
  program,
  sessions,
  stop,
  task,
  taskLook,
  taskStart,
  trust,
  update,
  setup,
};
