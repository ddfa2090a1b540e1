// The hands of fettle: what writes, deletes, starts, connects or reads files, who holds it, and who may take it.
// Between rooms every such import has its row with a reason that a reader can check; engine, tools and surfaces have none.

export interface Holder {
  file: string;
  /** `node:fs writeFileSync`, `process.kill`; `*` and `default` are all of a module. */
  hands: readonly string[];
  why: string;
}
export interface Use {
  file: string;
  of: string;
  /** `*`: loaded late. */
  names: readonly string[];
  why: string;
}
export interface HandTable {
  /** Modules with hands, and the names of them that only look. */
  builtIns: Readonly<Record<string, readonly string[]>>;
  processHands: readonly string[];
  /** Exports of modules with hands that compute, or look at names and settings only. */
  harmless: Readonly<Record<string, readonly string[]>>;
  holders: readonly Holder[];
  uses: readonly Use[];
}

const words = (text: string): string[] => text.split(/,?\s+/);

const looking = words(
  "readFileSync readdirSync lstatSync statSync existsSync accessSync constants realpathSync readlinkSync readSync " +
    "fstatSync statfsSync closeSync",
);

const holder = (row: string): Holder => {
  const [file = "", hands = "", why = ""] = row.split(" | ");
  return { file, hands: hands.split(", "), why };
};
const use = (row: string): Use => {
  const [file = "", of = "", names = "", why = ""] = row.split(" | ");
  return { file: `src/${file}`, of: `src/${of}`, names: words(names), why };
};

const holders = [
  "src/io/process/start.ts | node:child_process spawn, node:net Socket, node:fs openSync | starts what a grant names",
  "src/io/process/run.ts | node:net Server | hands what a grant names its doors",
  "src/io/process/standby.ts | node:net Socket | lets fettle end while a sandbox waits for a command",
  "src/io/process/pipes.ts | node:child_process spawn, node:fs mkdtempSync, node:fs openSync, node:fs rmSync | makes the pipes that output comes through, opens both ends and removes them",
  "src/io/process/leaks.ts | node:fs openSync | opens /dev/null over what fettle's own parent left open",
  "src/io/process/output.ts | node:fs writeSync, node:fs openSync | keeps output under a handle in the state folder",
  "src/io/process/cgroup.ts | node:fs mkdirSync, node:fs rmdirSync, node:fs writeFileSync, process.kill | the group of a command that runs",
  "src/io/process/exchange.ts | node:fs mkdirSync, node:fs mkdtempSync, node:fs rmSync, node:fs writeFileSync | what a hook reads and answers, in a private folder of its own",
  "src/io/store/unpaid.ts | node:fs appendFileSync, node:fs renameSync, node:fs rmSync | notes what calls were made that cost nothing, in the state folder",
  "src/io/process/tree.ts | process.kill | ends what a command started",
  "src/io/process/runs.ts | process.kill | the kill switch; only a process that its lease proves is fettle's",
  "src/io/files/bytes.ts | node:fs default, node:fs renameSync, node:fs unlinkSync | files behind a grant, without following links",
  "src/io/files/awaited-pipes.ts | node:fs openSync | opens a pipe that a program waits for, and closes it: nothing is written",
  "src/io/files/folder.ts | node:fs mkdirSync, node:fs openSync | the folder of such a file",
  "src/io/files/ripgrep.ts | node:child_process spawn, node:module createRequire | the bundled search program, which only reads",
  "src/io/files/walk.ts | node:vm default | a time limit for patterns, in a context without anything",
  "src/io/git.ts | node:child_process spawn, process.kill | fettle's own git, hardened: hooks, filters, drivers and helpers off; ends it at its time limit",
  "src/io/sandbox/room.ts | node:child_process spawn, node:fs openSync | the network that a task's commands share, held by its descriptors",
  "src/io/sandbox/probe.ts | node:child_process spawnSync, node:fs renameSync, node:fs writeFileSync, node:fs openSync | tries the sandbox once and keeps the answer in the cache folder",
  "src/io/sandbox/seatbelt.ts | node:child_process spawnSync | tries macOS' sandbox once",
  "src/io/sandbox/caches.ts | node:fs mkdirSync, node:fs rmSync, node:fs symlinkSync | the caches that a sandboxed tool gets, in fettle's own cache folder",
  "src/io/sandbox/control-files.ts | node:fs chmodSync, node:fs mkdirSync, node:fs openSync, node:fs renameSync, node:fs rmSync, node:fs symlinkSync, node:fs writeFileSync | puts git's control files back after a run",
  "src/io/snapshot/shadow.ts | node:fs linkSync, node:fs mkdirSync, node:fs renameSync, node:fs rmSync, node:fs writeFileSync, process.kill | the shadow repository in the state folder; asks whether a lock's owner lives",
  "src/io/snapshot/left-out.ts | node:fs renameSync, node:fs writeFileSync | notes of the shadow repository",
  "src/io/snapshot/placing.ts | node:fs fchmodSync, node:fs fsyncSync, node:fs mkdirSync, node:fs openSync, node:fs renameSync, node:fs rmSync, node:fs rmdirSync, node:fs symlinkSync, node:fs unlinkSync, node:fs writeFileSync | a restore that the gate let through",
  "src/io/store/database.ts | node:fs fsyncSync, node:fs openSync, node:sqlite DatabaseSync | fettle's own state",
  "src/io/store/router.ts | node:fs renameSync | sets a damaged file of the router aside",
  "src/io/store/lease.ts | process.kill | asks whether the owner of a lease lives",
  "src/io/journal/appender.ts | node:fs fdatasync, node:fs fdatasyncSync, node:fs ftruncateSync, node:fs openSync, node:fs writeSync | the ledger's segments",
  "src/io/journal/lines.ts | node:fs openSync | reads them",
  "src/io/journal/handovers.ts | node:fs writeFileSync | statements of old keys about new ones",
  "src/io/journal/key.ts | node:fs linkSync, node:fs renameSync, node:fs rmSync, node:fs writeFileSync | the keys that sign",
  "src/io/journal/retention.ts | node:fs rmSync | segments older than the policy keeps",
  "src/io/identities.ts | node:fs rmSync | the key of an identity that its person removes",
  "src/io/keychain.ts | node:fs chmodSync, node:fs renameSync, node:fs rmSync, node:fs writeFileSync, node:module createRequire | the keychain, or a private file where there is none",
  "src/io/config/trust.ts | node:fs renameSync, node:fs writeFileSync | what a person trusted, in the state folder",
  "src/io/places.ts | node:fs mkdirSync | fettle's own folders",
  "src/io/recording-file.ts | node:fs appendFileSync, node:fs writeFileSync | the file that --record names",
  "src/io/net/addresses.ts | process.getBuiltinModule | looks names up for requests that were judged",
  "src/io/net/client.ts | process.getBuiltinModule | one request to an address that was judged or configured",
  "src/io/net/egress.ts | process.getBuiltinModule | the doors of a sandboxed process",
  "src/io/net/local-server.ts | process.getBuiltinModule | plays a recording to fettle itself, on loopback",
  "src/io/grammars.ts | node:module createRequire | where the grammars' packages lie",
  "src/io/copies/folders.ts | node:fs mkdirSync, node:fs rmdirSync | folders for copies of the workspace, outside of any",
  "src/io/copies/repository.ts | node:fs writeFileSync | the repository of such a copy",
  "src/io/worktrees.ts | node:fs mkdirSync, node:fs rmSync, node:fs/promises cp, node:fs/promises lstat, node:fs/promises mkdir, node:fs/promises opendir, node:fs/promises rename | folders of worktrees, outside of any workspace",
  "src/app/audit.ts | node:fs appendFileSync | copies of checkpoints to the folder that a person names",
  "src/app/keys.ts | node:fs writeFileSync | the firewall's key in the state folder",
  "src/app/cli-agents/launch.ts | node:fs writeFileSync | another agent's first settings, in the folder that is its own",
  "src/app/tainted-files.ts | node:fs openSync | reads what a tainted turn wrote, for its digest",
  "src/app/temporary.ts | node:fs mkdirSync, node:fs rmSync | the session's private temporary folder",
  "src/app/demo/prepare.ts | node:fs cpSync, node:fs mkdtempSync, node:fs renameSync, node:fs rmSync | the demonstration's copy of a sample",
  "src/app/routing/strategies/check.ts | node:fs writeFileSync | an answer in the session's private folder, for the person's own check to read",
].map(holder);

const uses = [
  // Behind a grant.
  "guard/fence.ts | io/files/bytes.ts | readBytes | the output that a handle names",
  "guard/fence/files.ts | io/files/bytes.ts | listFolder moveFile readBytes removeFile writeAtomic | a grant's files",
  "guard/fence/files.ts | io/files/search.ts | findFiles grepFiles | a grant's searches",
  "guard/fence/undo.ts | io/files/bytes.ts | readBytes removeFile writeAtomic | takes back half a change of the same grant",
  "guard/fence/git-settings.ts | io/files/bytes.ts | readBytes writeAtomic | what git is told, in the private temporary folder",
  "guard/fence/network.ts | io/net/egress.ts | * | the doors that a grant opens",
  "guard/fence/process.ts | io/process/run.ts | runProcess | a grant's one command",
  "guard/fence/room.ts | io/process/run.ts | runProcess | looks whether the program that a grant has started answers",
  "guard/fence/process.ts | io/sandbox/control-files.ts | watchControlFiles | after it",
  "guard/fence/hook.ts | io/process/exchange.ts | exchange | the one run of a hook, with a grant of its own",
  "app/hooks.ts | guard/fence/hook.ts | hookFence | for a gate that lets nothing but the hook through",
  "guard/preview.ts | io/files/bytes.ts | readBytes | the diff that is shown; the paths were assessed",
  "app/road.ts | guard/fence.ts | createFence | wires the fence",
  "app/ground.ts | io/sandbox/room.ts | Room | for the fence: the network that a task's commands share",
  "app/road.ts | guard/preview.ts | previewChanges | for the gate",
  "app/ground.ts | io/process/jobs.ts | Jobs | for the fence; the session ends them",
  "app/road.ts | io/net/guarded.ts | * | for the fence",
  "app/road.ts | io/forge/hand.ts | * | for the fence: one act at a remote or a forge",
  "app/ground.ts | io/sandbox/planted.ts | lookForPlanted | for the fence: sets planted git control files aside",
  "app/machine.ts | io/sandbox/sandbox.ts | detectSandbox | for the fence",
  "app/road.ts | io/sandbox/caches.ts | toolCaches | for the fence",
  "app/road.ts | io/process/pipes.ts | anticipatePipes | pipes for the first command, beside its assessment",
  // Checkpoints: reading, into the shadow repository; a restore is reached by a grant only.
  "app/snapshots.ts | io/snapshot/snapshots.ts | * | for checkpoints and the fence",
  // Copies of the workspace: each is made of a checkpoint, lies outside of it, and is worked in behind the session's gate.
  "app/copies/copies.ts | io/copies/folders.ts | makeCopyFolder | a folder of its own, removed afterwards",
  "app/copies/copies.ts | io/copies/repository.ts | makeRepository | git in the copy, which knows the person's history and nothing else of theirs",
  "app/copies/copies.ts | io/snapshot/copy.ts | heldDiff ignoredFolders layCopy occupied treeChanges | lays it out, and reads what was made of it",
  "app/copies/possible.ts | io/snapshot/copy.ts | ignoredFolders takenSize | how large a copy would be, and what it would need",
  "app/copies/copies.ts | io/worktrees.ts | copyFolder isThere mountPoint realFile sizeWithin | what no checkpoint holds and a build needs",
  "app/copies/copies.ts | guard/fence/files.ts | readingOf | which reading of the firewall a file's name asks for",
  "app/copies/ground.ts | io/process/jobs.ts | Jobs | for the fence of a copy, which ends them",
  "app/copies/ground.ts | io/sandbox/planted.ts | lookForPlanted | for the fence of a copy",
  "app/road.ts | io/copies/folders.ts | dropLeftCopies | copies whose process was killed",
  "app/temporary.ts | io/owned-folders.ts | dropLeftBehind ownedName | temporary folders whose process was killed",
  // The record, and fettle's own state, which no grant reaches.
  "guard/ledger/ledger.ts | io/journal/handovers.ts | tellHandovers | beside the segments",
  "guard/ledger/ledger.ts | io/journal/segments.ts | headRow Segments | the record",
  "guard/ledger/ledger.ts | io/journal/retention.ts | dropSegments outdated startOf | as the policy says",
  "app/ground.ts | guard/ledger/ledger.ts | openLedger | the record",
  "app/ground.ts | io/journal/handovers.ts | readHandovers | the record",
  "app/ground.ts | io/journal/key.ts | keyPairReader | signs it",
  "app/program.ts | io/store/store.ts | inMemory openStore | sessions; in memory when incognito",
  "app/program.ts | io/places.ts | makePrivateFolder | their folder",
  "app/program.ts | io/config/load.ts | loadConfig | reads the configuration",
  "app/program.ts | io/config/workspace.ts | findWorkspace | looks for the repository",
  "app/terms.ts | io/config/load.ts | loadConfig | reads it again",
  "app/keys.ts | io/places.ts | makePrivateFolder | the state folder",
  "app/money.ts | io/places.ts | makePrivateFolder | the state folder",
  "app/cli-agents/launch.ts | io/places.ts | makePrivateFolder | another agent's own folder",
  "app/cli-agents/launch.ts | model/arms.ts | keyOf | its vendor's key, for its own process",
  "app/routing/candidates.ts | model/ollama-check.ts | pulledModels | which models a local Ollama has",
  "app/routing/candidates.ts | model/registry/findings.ts | findingOf | what was found out about arms",
  "app/routing/classifier.ts | model/wire.ts | createWire | a local model says the kind of work, scrubbed, in two seconds",
  "app/routing/programs.ts | model/arms.ts | keyOf | whether another agent's program has a key at all",
  "app/routing/memory.ts | io/store/router.ts | openRouterStore | what the router has learned, in the state folder",
  "app/money.ts | io/store/unpaid.ts | noteUnpaid | calls that cost nothing are noted without opening the file of money",
  "app/money.ts | io/store/purse.ts | openPurse | what was spent, is held, and was drawn from pools",
  "app/identities.ts | io/journal/key.ts | loadKeyPair | the person's own key signs answers",
  // Commands of the person (dispatch), which no tool can give.
  "app/audit.ts | guard/ledger/ledger.ts | openLedger | seals and notes, of a new key in every project",
  "app/audit.ts | io/git.ts | gitToplevel runGit | a copy of checkpoints on the ref that a person names",
  "app/audit.ts | io/journal/handovers.ts | appendHandovers readHandovers tellHandovers | a new key",
  "app/audit.ts | io/places.ts | makePrivateFolder | the folder that a person names for copies of checkpoints",
  "app/audit.ts | io/store/turn.ts | inTurn | one new key at a time",
  "app/audit.ts | io/journal/key.ts | keyPairReader loadKeyPair replaceKeyPair | a new key",
  "app/identities.ts | io/identities.ts | identityKey identityKeyPair identityName identityNames removeIdentity | identities",
  "app/login.ts | io/keychain.ts | removeSecret setSecret | login and logout",
  "app/policy-suggest.ts | io/config/rules-edit.ts | withRules writeRules | rules that a person adopts",
  "app/policy-suggest.ts | guard/ledger/ledger.ts | readEntries | what was approved",
  "app/runs.ts | io/process/runs.ts | endLeftovers signalRun | the kill switch",
  "app/runs.ts | io/store/store.ts | openStore | whose runs there are",
  "app/settings.ts | io/config/edit.ts | * | config set",
  "app/trust.ts | io/config/trust.ts | writeTrust | trust accept and revoke",
  "app/trust.ts | io/store/turn.ts | inTurn | one of them at a time",
  "app/trust.ts | io/config/load.ts | loadConfig | what would need trust",
  "app/hook-trial.ts | io/process/jobs.ts | Jobs | fettle hooks try: wires a fence for hooks",
  "app/hook-trial.ts | guard/ledger/ledger.ts | openLedger | records it",
  "app/hook-trial.ts | io/journal/handovers.ts | readHandovers | records it",
  "app/hook-trial.ts | io/journal/key.ts | keyPairReader | records it",
  "app/routing/strategies/attempts.ts | io/files/bytes.ts | readBytes | what a check's scripts and recipes say, in the copy that is weighed",
  "app/demo/prepare.ts | io/git.ts | runGit | the demonstration's copy",
  "app/demo/prepare.ts | io/sandbox/sandbox.ts | detectSandbox | says which sandbox there is",
  "app/demo/samples.ts | io/process/run.ts | runProcess | asks the sample's toolchain for its version",
  // Subagents: their calls take the gate of the session that they work for.
  "app/agents/library.ts | io/files/bytes.ts | readBytes | definitions of the project, never through a link",
  "app/agents/spawning.ts | io/process/jobs.ts | Jobs | for the fence; a subagent's end ends them",
  // A task: its acts take the gate of its worktree; git's writes are fettle's own, on the task's branch.
  "work/task/git.ts | io/git.ts | runGit | branch, worktree, commits: hardened, and named by a frozen plan",
  "work/task/git.ts | io/git-tips.ts | checkedOut isObjectId tipOf | what HEAD and branches are at this moment",
  "work/task/isolation.ts | io/git-tips.ts | gitFolders | where the lock of a cut-off run of git lies",
  "work/task/hooks.ts | io/git-tips.ts | gitFolders settingsMention | where the hooks are",
  "work/task/forge/remote.ts | io/git-tips.ts | settingsMention | whether a branch has a remote",
  "work/task/texts.ts | io/files/bytes.ts | readBytes | files of the task's own worktree, for fettle's checks and prompts",
  "work/task/texts.ts | io/worktrees.ts | isThere | the same",
  "work/task/toolchain.ts | io/worktrees.ts | realFile | the package that a linter's link leads to, for its version",
  "work/task/isolation.ts | io/worktrees.ts | copyFolder dropFolder isThere mountPoint sizeWithin | the task's own worktree",
  "work/task/isolation.ts | io/places.ts | makePrivateFolder | the folder of worktrees",
  "work/task/leftovers.ts | io/worktrees.ts | dropFolder | what checks left behind in the worktree",
  "work/task/hooks.ts | io/worktrees.ts | isProgram | whether there is a commit hook",
  "work/task/hooks.ts | io/files/bytes.ts | readBytes writeAtomic | a hook's digest; the message that hooks change, in the session's private folder",
  "work/task/forge/propose.ts | io/files/bytes.ts | writeAtomic | the text of a pull request, beside the worktrees",
  "app/forge.ts | io/keychain.ts | * | the token of the person's forge, for the hand that the fence opens",
  "app/tasks/start.ts | work/task/evidence.ts | approvalDigest | what an answer is bound to",
  "app/tasks/issue.ts | work/task/forge/issue.ts | askIssue issueAddress issueText | reads an issue by the grant that it is given",
  "app/tasks/issue.ts | work/task/commands.ts | textOf | the words of a result",
  "app/tasks/world.ts | guard/ledger/ledger.ts | ledgerHead | the hash that a pull request names",
  "work/task/invariants.ts | io/worktrees.ts | isThere | whether the locked test is there",
  "work/task/invariants.ts | io/files/bytes.ts | readBytes | the locked test, for its digest",
  "work/task/commands.ts | io/files/bytes.ts | readBytes | the whole output of a command that the gate ran",
  "work/task/proof/honesty/syntax.ts | io/grammars.ts | grammarBytes parserBytes | to parse tests",
  "app/tasks/cancel.ts | work/task/git.ts | Repository | takes the worktree of a cancelled task away",
  "app/tasks/look.ts | work/task/git.ts | Repository | shows the diff of a task",
  "app/tasks/estimate.ts | io/git.ts | runGit | sizes of the files, for the estimate",
  "app/tasks/cancel.ts | work/task/isolation.ts | leaveWorktree | takes it away",
  "app/tasks/abandoned.ts | work/task/git.ts | Repository | prunes worktrees of tasks that are no more",
  "app/tasks/abandoned.ts | work/task/isolation.ts | leaveWorktree | takes them away",
  "app/tasks/abandoned.ts | io/worktrees.ts | dropFolder foldersIn | the same, where no record is left",
  "app/tasks/receipts.ts | guard/ledger/ledger.ts | readEntries | the receipt of a task's approval, to hold it against the task",
  "app/tasks/replay.ts | guard/ledger/ledger.ts | readEntries | the transitions as the ledger knows them",
  "app/tasks/world.ts | work/task/toolchain.ts | npmVersion | the version that npm's own package says",
  "app/tasks/world.ts | work/task/replay.ts | patchDigest | what the ledger keeps of a transition",
  "app/tasks/replay.ts | work/task/git.ts | Repository | reads the base that the plan was frozen over",
  "app/tasks/replay.ts | work/task/replay.ts | replayTask | decides again, and does nothing",
  "app/tasks/start.ts | io/git.ts | gitToplevel | whether there is a repository",
  "app/tasks/start.ts | work/task/run.ts | TaskRun | the task",
  "app/tasks/world.ts | work/task/commands.ts | runCommand succeeded | asks the toolchain for versions, through the gate",
  // Looking: nothing is changed, and what is found goes to the person or through the firewall.
  "memory/instructions.ts | io/files/bytes.ts | readBytes | instruction files, never through a link",
  "app/agent-parts.ts | memory/instructions.ts | readInstructions | for the prompt's prefix",
  "app/commits.ts | io/git.ts | gitProgram gitToplevel runGit | the diff that a commit would take, for the secrets firewall",
  "app/queries/files.ts | io/files/bytes.ts | readBytes | @mentions: assessed first, only L0, redacted",
  "app/queries/files.ts | io/files/search.ts | findFiles | completes @mentions by name",
  "app/queries/scan-packages.ts | io/files/bytes.ts | readBytes | fettle scan, of files that a person names",
  "app/queries/scan-packages.ts | io/files/search.ts | findFiles | fettle scan, of folders",
  "app/queries/scan-injection.ts | io/files/bytes.ts | readBytes | fettle scan, of files that a person names",
  "app/queries/scan-injection.ts | io/files/search.ts | findFiles | fettle scan, of folders",
  "app/queries/scan-secrets.ts | io/files/bytes.ts | readBytes | fettle scan, of files that a person names",
  "app/queries/scan-secrets.ts | io/files/search.ts | findFiles | fettle scan, of folders",
  "app/queries/audit.ts | guard/ledger/ledger.ts | ledgerHead readEntries verifyLedger | fettle audit",
  "app/queries/audit.ts | io/journal/key.ts | loadKeyPair | the fingerprint",
  "app/queries/policy.ts | io/config/load.ts | configFiles policyFilesOf | fettle policy",
  "app/queries/replay.ts | guard/ledger/ledger.ts | readEntries | fettle policy diff",
  "app/session-facts.ts | io/git.ts | gitProgram | whether there are checkpoints",
  "app/doctor.ts | io/files/ripgrep.ts | ripgrepPath | fettle doctor",
  "app/doctor.ts | io/git.ts | gitProgram runGit | fettle doctor: git's version",
  "app/doctor.ts | io/keychain.ts | removeSecret writeKeychain | fettle doctor: a word of its own, in and out",
  "app/doctor.ts | io/process/cgroup.ts | findGroups noGroups | fettle doctor",
  // Models: a provider gets what the firewall has sealed, and its own address.
  "app/arms.ts | model/arms.ts | resolveArm | the model",
  "app/agent-parts.ts | model/wire.ts | createWire | the way to the provider, for requests that the firewall sealed",
  "app/pools.ts | model/wire.ts | pause | waits for a pool",
  "app/probe.ts | model/wire.ts | createWire | fettle models --probe: small requests that the person asks for",
  "app/probe.ts | io/store/findings.ts | keepFindings | what they showed",
  "app/findings.ts | io/store/findings.ts | readFindings | what was found out about arms",
  "app/model-cards.ts | model/registry/findings.ts | findingOf | what was found out about an arm",
  "app/model-cards.ts | model/registry/ollama.ts | shownModel | asks the local Ollama about its model",
  "app/queries/machine.ts | model/registry/findings.ts | keepLookedUp | keeps what a list of models said",
  "model/registry/findings.ts | io/store/findings.ts | keepFindings readFindings | what was found out about arms",
  "model/registry/ollama.ts | io/net/client.ts | request | the configured Ollama",
  "model/registry/ollama.ts | io/net/fetch.ts | readText | its answer",
  "app/queries/cost.ts | io/store/spend.ts | dayOf | names a day",
  "app/arms.ts | model/recorder.ts | * | --record",
  "app/models.ts | model/arms.ts | createProvider resolveArm | fettle models",
  "app/queries/sessions.ts | model/arms.ts | resolveArm | the window's size",
  "model/arms.ts | io/keychain.ts | * | the provider's key",
  "model/connection.ts | io/net/client.ts | request | the provider's address",
  "model/connection.ts | io/net/fetch.ts | readText | its answer",
  "model/native/stream.ts | io/net/client.ts | release request | the provider's address",
  "model/native/stream.ts | io/net/fetch.ts | readText | its answer",
  "model/ollama-check.ts | io/net/client.ts | request | whether the model is there",
  "model/ollama-check.ts | io/net/fetch.ts | readText | its answer",
  "model/providers/openai-compatible.ts | io/net/fetch.ts | readText | its answer",
  "model/providers/recorded.ts | io/net/local-server.ts | serveLocally | plays a recording",
  "model/providers/recorded.ts | io/recording-file.ts | readRecordingFile | the recording",
  "model/recorder.ts | io/recording-file.ts | recordingFile | the file that --record names",
  "model/sdk/fetch.ts | io/net/fetch.ts | createFetch | the provider's address",
  // The entry.
  "cli.ts | main.ts | * | the program",
  "main.ts | app/client.ts | * | a client for the surface",
  "main.ts | app/demo/prepare.ts | * | fettle demo",
].map(use);

export const table: HandTable = {
  builtIns: {
    "node:child_process": [],
    "node:fs": looking,
    "node:fs/promises": ["readFile", "readdir"],
    "node:net": ["isIP"],
    "node:tls": [],
    "node:http": [],
    "node:https": [],
    "node:http2": [],
    "node:dgram": [],
    "node:dns": [],
    "node:dns/promises": [],
    "node:sqlite": [],
    "node:vm": [],
    "node:worker_threads": [],
    "node:cluster": [],
    "node:inspector": [],
    "node:module": ["enableCompileCache"],
  },
  processHands: ["kill", "chdir", "getBuiltinModule", "dlopen", "binding", "umask", "setuid", "setgid"],
  harmless: {
    "src/io/places.ts": ["places", "projectPlaces", "realFolder", "unwritablePlace"],
    "src/io/journal/key.ts": ["signatureFits", "fingerprintOf", "knownPublicKey"],
    "src/io/keychain.ts": ["credentialsFile"],
    "src/io/store/lease.ts": ["bootId"],
    "src/io/journal/lines.ts": ["checkpointFile", "lineBatches", "segmentFile", "segmentNumbers", "keysFile"],
    "src/guard/ledger/ledger.ts": ["LedgerFault"],
    // By a file's name only.
    "src/work/task/definitions.ts": ["decidesChecks"],
    // In memory only.
    "src/io/store/word-index.ts": ["openWordIndex", "splitName"],
  },
  holders,
  uses,
};
