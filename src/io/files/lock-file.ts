// A lock that other programs know, too: a file that exists while somebody changes what it stands for (GSD's STATE.md.lock).
import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, systemError, withFallback } from "../../base/fallback.ts";

export interface LockTimes {
  /** How long somebody else's lock is waited for. */
  patienceMs: number;
  /** From this age on, a lock whose process does not live is a dead one's. */
  staleMs: number;
}

/** What `work` gives, alone; undefined where the lock was not to be had in time. */
export async function withLockFile<T>(
  file: string,
  { patienceMs, staleMs }: LockTimes,
  work: () => Promise<T>,
): Promise<{ value: T } | undefined> {
  const own = `${process.pid}\n${randomBytes(8).toString("hex")}\n`;
  const until = performance.now() + patienceMs;
  while (!taken(file, own)) {
    dropStale(file, staleMs);
    if (performance.now() > until) return undefined;
    await sleep(20 + Math.random() * 30);
  }
  try {
    return { value: await work() };
  } finally {
    if (textOf(file) === own) withFallback(undefined, systemError, () => unlinkSync(file));
  }
}

function taken(file: string, own: string): boolean {
  return withFallback(false, hasCode("EEXIST"), () => {
    writeFileSync(file, own, { flag: "wx", mode: 0o600 });
    return true;
  });
}

const textOf = (file: string): string | undefined =>
  withFallback(undefined, systemError, () => readFileSync(file, "utf8"));

/** Put aside first: a lock that somebody else took meanwhile comes back. */
function dropStale(file: string, staleMs: number): void {
  const seen = textOf(file);
  const age = withFallback(0, systemError, () => Date.now() - lstatSync(file).mtimeMs);
  const pid = Number(seen?.split("\n", 1)[0]);
  const ours = seen !== undefined && /^\d+\n[0-9a-f]{16}\n$/.test(seen);
  // What fettle has written names its process; of any other lock only its age tells.
  if (seen === undefined || (ours ? isAlive(pid) : age < staleMs)) return;
  const aside = `${file}.${randomBytes(6).toString("hex")}`;
  withFallback(undefined, systemError, () => {
    renameSync(file, aside);
    if (textOf(aside) !== seen) withFallback(undefined, hasCode("EEXIST"), () => linkSync(aside, file));
    unlinkSync(aside);
  });
}

const isAlive = (pid: number): boolean =>
  withFallback(true, hasCode("EPERM"), () =>
    withFallback(false, hasCode("ESRCH"), () => {
      process.kill(pid, 0);
      return true;
    }),
  );
