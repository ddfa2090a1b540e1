// What a person does with the ledger: copies its checkpoints off the machine, and changes the key that signs it.
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { canonical } from "../../base/canonical.ts";
import { Fault } from "../../base/fault.ts";
import { handover } from "../../guard/ledger/handover.ts";
import { type Ledger, openLedger } from "../../guard/ledger/ledger.ts";
import { statsOf } from "../../io/files/regular.ts";
import { gitToplevel, runGit } from "../../io/git/git.ts";
import { appendHandovers, readHandovers, tellHandovers } from "../../io/journal/handovers.ts";
import { keyPairReader, loadKeyPair, replaceKeyPair } from "../../io/journal/key.ts";
import { knownHeadFile } from "../../io/journal/known-head.ts";
import { checkpointFile, segmentNumbers } from "../../io/journal/lines.ts";
import { makePrivateFolder } from "../../io/places/places.ts";
import type { Store } from "../../io/store/store.ts";
import { inTurn } from "../../io/store/turn.ts";
import { Exit } from "../../protocol/exit.ts";
import { personName } from "../program/machine.ts";
import type { Program } from "../program/program.ts";
import { projects, withStore } from "../program/runs.ts";

/** Seals what is there; with `to`, a folder or a git ref (`refs/…`) of the workspace's repository, copies all checkpoints. */
export async function checkpoint(program: Program, to: string | undefined): Promise<void> {
  withLedger(program, (ledger) => ledger.seal("request"));
  const lines = checkpointLines(program);
  if (lines.length === 0) {
    throw new Fault("audit.empty", Exit.usage, "Nothing has been recorded in this project yet.", "Run a turn first.");
  }
  if (to === undefined) return;
  if (to.startsWith("refs/")) await copyToRef(program, to, lines);
  else copyToFolder(program, to, lines);
}

/** Every checkpoint of this project's ledger, oldest first, as stored. */
export function checkpointLines(program: Program): string[] {
  const file = checkpointFile(program.project.ledger);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

/** One file per project, so that a folder may hold many. */
export const copyName = (program: Program): string => `${path.basename(program.project.root)}.checkpoints.jsonl`;

function copyToFolder(program: Program, to: string, lines: string[]): void {
  const folder = path.resolve(program.cwd, to);
  try {
    makePrivateFolder(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Fault(
      "audit.place",
      Exit.usage,
      `${folder} cannot be made (${code}).`,
      "Name a folder that can be written to.",
    );
  }
  const file = path.join(folder, copyName(program));
  const known = existsSync(file) ? new Set(readFileSync(file, "utf8").split("\n")) : new Set<string>();
  const missing = lines.filter((line) => !known.has(line));
  // Only ever added to: a place that keeps what it was given is what makes the copy worth having.
  appendFileSync(file, missing.map((line) => `${line}\n`).join(""), { flush: true });
}

async function copyToRef(program: Program, ref: string, lines: string[]): Promise<void> {
  const cwd = gitToplevel(program.workspace);
  if (cwd === undefined) {
    throw new Fault(
      "audit.no-repository",
      Exit.usage,
      `${program.workspace} is in no git repository.`,
      "Name a folder.",
    );
  }
  const git = async (args: string[], input?: string): Promise<string> => {
    const { code, out, err } = await runGit(args, { cwd, env: author, ...(input !== undefined && { input }) });
    if (code !== 0)
      throw new Fault("audit.git", Exit.failed, `git ${args[0]} failed: ${err.trim()}`, "Mend that, and do it again.");
    return out.toString("utf8").trim();
  };
  const known = await runGit(["rev-parse", "--verify", "--quiet", ref], { cwd });
  const parent = known.code === 0 ? known.out.toString("utf8").trim() : undefined;
  if (parent !== undefined) {
    const names = (await git(["ls-tree", "--name-only", parent])).split("\n").filter(Boolean);
    if (names.some((name) => !name.endsWith(".checkpoints.jsonl"))) {
      throw new Fault(
        "audit.ref",
        Exit.usage,
        `${ref} holds something else than checkpoints.`,
        "Name a ref of its own, such as refs/fettle/checkpoints.",
      );
    }
  }
  const blob = await git(["hash-object", "-w", "--stdin"], lines.map((line) => `${line}\n`).join(""));
  const tree = await git(["mktree"], `100644 blob ${blob}\t${copyName(program)}\n`);
  const from = parent === undefined ? [] : ["-p", parent];
  const commit = await git([
    "commit-tree",
    tree,
    ...from,
    "-m",
    `Checkpoints of ${path.basename(program.project.root)}`,
  ]);
  await git(["update-ref", ref, commit, parent ?? "0".repeat(commit.length)]);
}

const author = {
  GIT_AUTHOR_NAME: "fettle",
  GIT_AUTHOR_EMAIL: "fettle@localhost",
  GIT_COMMITTER_NAME: "fettle",
  GIT_COMMITTER_EMAIL: "fettle@localhost",
};

/** The checkpoints at `place`: a file, a folder of copies, or a git ref. Throws a Fault. */
export async function copiedLines(program: Program, place: string): Promise<string[]> {
  if (place.startsWith("refs/")) {
    const { code, out } = await runGit(["show", `${place}:${copyName(program)}`], { cwd: program.workspace });
    if (code === 0) return out.toString("utf8").split("\n").filter(Boolean);
    throw noCopy(`${place}:${copyName(program)}`);
  }
  const given = path.resolve(program.cwd, place);
  const isFolder = statsOf(given)?.isDirectory() === true;
  const file = isFolder ? path.join(given, copyName(program)) : given;
  if (!existsSync(file)) throw noCopy(file);
  return readFileSync(file, "utf8").split("\n").filter(Boolean);
}

const noCopy = (place: string): Fault =>
  new Fault(
    "audit.no-copy",
    Exit.usage,
    `There are no checkpoints at ${place}.`,
    "Copy them with fettle audit checkpoint --to.",
  );

/**
 * Old and new key sign that the one follows the other, and the new one signs every ledger of the user: from then on
 * nothing that the old one signs holds there. Throws a Fault that names the ledgers where that could not be done.
 */
export function rotateKey(program: Program): void {
  // Of two at once both keys would follow the same one, and neither the other: what both have signed would never verify.
  inTurn(path.join(program.places.state, "key-rotation.db"), () => rotateAlone(program));
}

function rotateAlone(program: Program): void {
  const { state } = program.places;
  // What the old key has still to sign, it signs now.
  if (checkpointLines(program).length > 0) withLedger(program, (ledger) => ledger.seal("key"));
  const troubles = new Troubles();
  replaceKeyPair(state, (from, to) => {
    appendHandovers(state, [canonical(handover(from, to, Date.now()))]);
    // Before there is anything to sign with the new one: wherever it breaks off, every ledger that was told verifies.
    const handovers = readHandovers(state);
    for (const name of readdirSync(path.dirname(program.project.root)))
      troubles.at(
        name,
        () => existsSync(checkpointFile(ledgerOf(program, name))) && tellHandovers(ledgerOf(program, name), handovers),
      );
  });
  const { fingerprint } = loadKeyPair(state);
  const own = path.basename(program.project.root);
  for (const name of new Set([own, ...projects(program, true)]))
    troubles.at(name, () => {
      const folder = ledgerOf(program, name);
      if (name !== own && segmentNumbers(folder).length === 0) return;
      withStore(program, name, (store) =>
        inLedger({ program, store, folder }, (ledger) => {
          ledger.note("key.rotated", { fingerprint, by: personName() });
          ledger.seal("key");
        }),
      );
    });
  troubles.tell();
}

/** What keeps single ledgers from a new key; the others take it all the same. */
class Troubles {
  readonly #found = new Map<string, string>();

  at(name: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!(error instanceof Error) || !(error instanceof Fault || /^E[A-Z]+$/.test(code ?? ""))) throw error;
      this.#found.set(name, error.message);
    }
  }

  tell(): void {
    const [problem] = this.#found.values();
    if (problem === undefined) return;
    throw new Fault(
      "audit.unsigned",
      Exit.integrity,
      `The key was changed, but the new one could not sign the ledger of ${[...this.#found.keys()].join(", ")} (${problem})`,
      "A copy of the old key counts there until the next session has ended; elsewhere it counts no more.",
    );
  }
}

const ledgerOf = ({ project }: Program, name: string): string =>
  path.join(path.dirname(project.root), name, path.basename(project.ledger));

export const withLedger = (program: Program, act: (ledger: Ledger) => void): void =>
  inLedger({ program, store: program.kept(), folder: program.project.ledger }, act);

function inLedger(at: { program: Program; store: Store; folder: string }, act: (ledger: Ledger) => void): void {
  const { state } = at.program.places;
  const ledger = openLedger({
    ...{ folder: at.folder, store: at.store, actor: personName() },
    key: keyPairReader(state),
    handovers: () => readHandovers(state),
    knownHead: knownHeadFile(state, path.basename(path.dirname(at.folder))),
  });
  try {
    act(ledger);
  } finally {
    ledger.close();
  }
}
