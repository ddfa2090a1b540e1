// From a command's name to what it does; each loads its own code.
import type { AuditFilter } from "../../protocol/query.ts";
import type { Context } from "./host/context.ts";
import { usageFault } from "./host/failure.ts";
import { wholeNumber } from "./host/flags.ts";
import type { Job } from "./program.ts";

type Run = (context: Context, words: readonly string[], options: Job["options"]) => Promise<number>;

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const first = (words: readonly string[]) => words[0] ?? "";

async function auditFilter(options: Job["options"], words: readonly string[] = []): Promise<AuditFilter> {
  const { parseTime } = await import("./commands/audit.ts");
  const time = (flag: "since" | "until") => {
    const given = text(options[flag]);
    if (given === undefined) return {};
    const at = parseTime(given, Date.now());
    if (at === undefined) throw usageFault(`--${flag} needs a date or an age such as 30m, 2h or 7d, not '${given}'.`);
    return { [flag]: at };
  };
  const filter: AuditFilter = { ...time("since"), ...time("until") };
  for (const name of ["actor", "tool", "verdict", "risk", "session"] as const) {
    const value = text(options[name]);
    if (value !== undefined) filter[name] = value;
  }
  if (words[0] !== undefined) filter.text = words[0];
  const limit = text(options["limit"]);
  if (limit !== undefined) filter.limit = wholeNumber("--limit", limit);
  return filter;
}

const runs: Record<string, Run> = {
  "agents list": async (context) => (await import("./commands/agents.ts")).listDefinitions(context),
  "agents show": async (context, words) => (await import("./commands/agents.ts")).showDefinition(context, first(words)),
  "agents check": async (context, words) =>
    (await import("./commands/agents.ts")).checkDefinition(context, first(words)),
  "agents running": async (context) => (await import("./commands/agents.ts")).listRunning(context),
  "agents cancel": async (context, words) =>
    (await import("./commands/agents.ts")).cancelRunning(context, first(words)),
  task: async (context, words, options) =>
    (await import("./commands/task.ts")).startTask(context, {
      words,
      file: text(options["file"]),
      issue: text(options["issue"]),
      strict: options["strict"] === true,
      merge: options["merge"] !== false,
      propose: options["pr"] === true,
    }),
  "task list": async (context) => (await import("./commands/task-look.ts")).listTasks(context),
  "task show": async (context, words, options) =>
    (await import("./commands/task-look.ts")).showTask(context, words[0], {
      evidence: options["evidence"] === true,
      plan: options["plan"] === true,
      diff: options["diff"] === true,
    }),
  "task watch": async (context, words) => (await import("./commands/task-watch.ts")).watchTask(context, words[0]),
  "task resume": async (context, words) => (await import("./commands/task.ts")).resumeTask(context, words[0]),
  "task replay": async (context, words) => (await import("./commands/task-look.ts")).replayTask(context, first(words)),
  "task cancel": async (context, words) => (await import("./commands/task-look.ts")).cancelTask(context, first(words)),
  "task answer": async (context, words) =>
    (await import("./commands/task.ts")).answerQuestion(context, first(words), words.slice(1).join(" ")),
  "task approve": async (context, words, options) =>
    (await import("./commands/task.ts")).approveTask(context, {
      task: words[0],
      as: text(options["as"]),
      changes: text(options["with"]),
    }),
  "task reject": async (context, words, options) =>
    (await import("./commands/task.ts")).rejectTask(context, {
      task: words[0],
      as: text(options["as"]),
      why: text(options["why"]),
    }),
  "config show": async (context, words, options) =>
    (await import("./commands/config.ts")).showConfig(context, words[0], options["verbose"] === true),
  "config get": async (context, words) => (await import("./commands/config.ts")).getConfig(context, first(words)),
  "config unset": async (context, words, options) =>
    (await import("./commands/config.ts")).unsetConfig(context, first(words), options["project"] === true),
  "config set": async (context, words, options) =>
    (await import("./commands/config.ts")).setConfig(
      context,
      { key: first(words), value: words[1] ?? "" },
      options["project"] === true,
    ),
  "config path": async (context) => (await import("./commands/config.ts")).configPaths(context),
  "config schema": async (context) => (await import("./commands/config.ts")).configSchema(context),
  "trust show": async (context) => (await import("./commands/trust.ts")).showTrust(context),
  "trust accept": async (context, _words, options) =>
    (await import("./commands/trust.ts")).acceptTrust(context, options["yes"] === true),
  "trust revoke": async (context) => (await import("./commands/trust.ts")).revokeTrust(context),
  "hooks list": async (context) => (await import("./commands/hooks.ts")).listHooks(context),
  "hooks test": async (context, words, options) =>
    (await import("./commands/hooks.ts")).tryHooks(context, {
      event: first(words),
      tool: text(options["tool"]),
      input: text(options["input"]),
    }),
  record: async (context, words) =>
    (await import("./session/record.ts")).recordRun(context, first(words), words.slice(1).join(" ")),
  "record check": async (context, words) => (await import("./session/record.ts")).checkRecording(context, first(words)),
  "record show": async (context, words) => (await import("./session/record.ts")).showRecording(context, first(words)),
  "router stats": async (context) => (await import("./commands/router.ts")).showStats(context),
  "router explain": async (context, words, options) =>
    (await import("./commands/router.ts")).explainChoice(context, {
      words,
      mission: text(options["mission"]),
      plan: options["plan"] === true,
    }),
  "router simulate": async (context, _words, options) =>
    (await import("./commands/router.ts")).simulateChoices(context, {
      rounds: wholeNumber("--rounds", text(options["rounds"]) ?? ""),
      arms: wholeNumber("--arms", text(options["arms"]) ?? ""),
      seed: wholeNumber("--seed", text(options["seed"]) ?? ""),
      scenario: text(options["scenario"]),
    }),
  "router reset": async (context, _words, options) =>
    (await import("./commands/router.ts")).resetRouter(context, {
      arm: text(options["arm"]),
      type: text(options["type"]),
      yes: options["yes"] === true,
    }),
  "router good": async (context, words) =>
    (await import("./commands/router.ts")).rateTurn(context, true, words.join(" ")),
  "router bad": async (context, words) =>
    (await import("./commands/router.ts")).rateTurn(context, false, words.join(" ")),
  models: async (context, words, options) => {
    const commands = await import("./commands/models.ts");
    if (options["probe"] === true) return (await import("./commands/probe.ts")).probeModels(context, words, options);
    if (words[0] === "price") return (await import("./commands/config.ts")).setPrice(context, words.slice(1));
    return commands.listModels(context, words, options["all"] === true);
  },
  "models probe": async (context, words, options) =>
    (await import("./commands/probe.ts")).probeModels(context, words, options),
  login: async (context, words, options) =>
    (await import("./commands/login.ts")).login(context, words[0], options["plainFile"] === true),
  logout: async (context, words) => (await import("./commands/login.ts")).logout(context, first(words)),
  doctor: async (context) => (await import("./commands/doctor.ts")).runDoctor(context),
  "sessions list": async (context, _words, options) =>
    (await import("./commands/sessions.ts")).listSessions(
      context,
      wholeNumber("--limit", text(options["limit"]) ?? "20"),
    ),
  "sessions show": async (context, words, options) => {
    const look = await import("./commands/sessions.ts");
    const id = first(words);
    if (options["context"] === true) return look.showContext(context, id);
    const sought = text(options["recall"]);
    return sought === undefined ? look.showSession(context, id) : look.searchSession(context, id, sought);
  },
  "sessions export": async (context, words) =>
    (await import("./commands/sessions.ts")).exportSession(context, first(words)),
  "sessions delete": async (context, words, options) =>
    (await import("./commands/sessions.ts")).deleteSession(context, first(words), options["yes"] === true),
  approvals: async (context, words, options) => {
    const commands = await import("./commands/approvals.ts");
    if (words[0] !== undefined) return commands.showApproval(context, words[0]);
    return options["watch"] === true
      ? commands.watchApprovals(context)
      : commands.listApprovals(context, options["all"] === true);
  },
  approve: async (context, words, options) =>
    (await import("./commands/approvals.ts")).approve(context, {
      id: first(words),
      wider: (["session", "like", "always"] as const).filter((name) => options[name] === true),
      as: text(options["as"]),
    }),
  deny: async (context, words, options) =>
    (await import("./commands/approvals.ts")).deny(context, {
      id: first(words),
      why: text(options["why"]),
      as: text(options["as"]),
    }),
  "identity list": async (context) => (await import("./commands/identity.ts")).listIdentities(context),
  "identity add": async (context, words, options) =>
    (await import("./commands/identity.ts")).addIdentity(context, {
      name: first(words),
      role: text(options["role"]),
      approver: text(options["approver"]),
    }),
  "identity remove": async (context, words) =>
    (await import("./commands/identity.ts")).removeIdentity(context, first(words)),
  stop: async (context, words, options) =>
    (await import("./commands/stop.ts")).stopRuns(context, {
      which: words[0],
      list: options["list"] === true,
      all: options["all"] === true,
      everywhere: options["everywhere"] === true,
      force: options["force"] === true,
    }),
  rewind: async (context, words, options) => {
    const session = text(options["session"]);
    return (await import("./commands/rewind.ts")).rewind(context, {
      files: options["files"] === true,
      conversation: options["conversation"] === true,
      force: options["force"] === true,
      yes: options["yes"] === true,
      ...(words[0] === undefined ? {} : { turn: wholeNumber("The turn", words[0]) }),
      ...(session === undefined ? {} : { session }),
    });
  },
  cost: async (context, _words, options) =>
    (await import("./commands/cost.ts")).showCost(context, {
      by: text(options["by"]),
      since: text(options["since"]),
      session: text(options["session"]),
    }),
  "audit verify": async (context, _words, options) =>
    (await import("./commands/audit.ts")).verifyAudit(context, text(options["against"])),
  "audit tail": async (context, _words, options) =>
    (await import("./commands/audit.ts")).queryAudit(context, await auditFilter(options)),
  "audit query": async (context, words, options) =>
    (await import("./commands/audit.ts")).queryAudit(context, await auditFilter(options, words)),
  "audit export": async (context, _words, options) =>
    (await import("./commands/audit.ts")).exportAudit(
      context,
      await auditFilter(options),
      (text(options["format"]) ?? "jsonl") as "jsonl" | "csv" | "ocsf",
    ),
  "audit key": async (context, _words, options) =>
    (await import("./commands/audit-keys.ts")).showKey(context, options["rotate"] === true),
  "audit checkpoint": async (context, _words, options) =>
    (await import("./commands/audit-keys.ts")).copyCheckpoints(context, text(options["to"])),
  explain: async (context, words, options) => {
    const { explain, explainBatch } = await import("./commands/explain.ts");
    return options["batch"] === true ? explainBatch(context, options) : explain(context, words[0]);
  },
  "policy check": async (context, words, options) =>
    (await import("./commands/policy.ts")).checkPolicy(context, { file: words[0], as: text(options["as"]) }),
  "policy explain": async (context, words) => (await import("./commands/policy.ts")).explainPolicy(context, words[0]),
  "policy test": async (context, words, options) =>
    (await import("./commands/policy.ts")).testPolicy(context, { file: words[0], as: text(options["as"]) }),
  "policy diff": async (context, words, options) => {
    const { since, until } = await auditFilter(options);
    const span = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
    const { diffPolicies } = await import("./commands/policy-replay.ts");
    return diffPolicies(context, { before: first(words), after: words[1] ?? "", ...span });
  },
  "policy suggest": async (context, _words, options) => {
    const { since } = await auditFilter(options);
    const { leastOf, suggestPolicy } = await import("./commands/policy-suggest.ts");
    const least = leastOf(text(options["least"]));
    const args = { ...(least !== undefined && { least }), ...(since !== undefined && { since }) };
    return suggestPolicy(context, { args, write: options["write"] === true });
  },
  "policy accept": async (context, words) => (await import("./commands/policy.ts")).acceptPolicy(context, words[0]),
  "audit replay": async (context, _words, options) => {
    const { since, until, session } = await auditFilter(options);
    const file = text(options["policy"]);
    const { replayAudit } = await import("./commands/policy-replay.ts");
    return replayAudit(context, {
      ...(file !== undefined && { file }),
      ...(session !== undefined && { session }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    });
  },
  "scan secrets": async (context, words, options) => {
    const { scanSecrets, scanSecretsBatch } = await import("./commands/scan-secrets.ts");
    return options["batch"] === true ? scanSecretsBatch(context) : scanSecrets(context, words);
  },
  "scan injection": async (context, words, options) => {
    const { scanInjection, scanInjectionBatch } = await import("./commands/scan-injection.ts");
    return options["batch"] === true ? scanInjectionBatch(context) : scanInjection(context, words);
  },
  "scan packages": async (context, words, options) => {
    const { scanPackages, scanPackagesBatch } = await import("./commands/scan-packages.ts");
    return options["batch"] === true ? scanPackagesBatch(context) : scanPackages(context, words);
  },
  demo: async (context, words, options) => {
    if (words[0] === "task" && options["list"] !== true) {
      const { runTaskDemo } = await import("./demo-task.ts");
      return runTaskDemo(words[1], context.host, options.color === false);
    }
    if (words[1] !== undefined) throw usageFault(`There is no demo called ${words.join(" ")}.`, "fettle demo --list");
    const { runDemo } = await import("./demo.ts");
    const name = words[0] === undefined ? {} : { name: words[0] };
    const json = options.json === true;
    if (json && options["list"] !== true)
      throw usageFault("A demo is made to be looked at: --json goes with --list.", "fettle demo --list --json");
    const wish = { ...name, list: options["list"] === true, json, noColour: options.color === false };
    return runDemo(wish, context.host);
  },
  "schema events": async (context) => (await import("./commands/schema.ts")).showEventSchema(context),
};

export async function runCommand(context: Context, job: Job): Promise<number> {
  const run = runs[job.name];
  if (!run) throw new Error(`no code for the command ${job.name}`);
  return run(context, job.words, job.options);
}
