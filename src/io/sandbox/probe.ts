// Whether bubblewrap works here; tried once per boot and version, because trying costs a process.
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { anyError, withFallback } from "../../base/fallback.ts";
import { keepFile } from "../places/kept-files.ts";
import { openUnlinked } from "../files/unlinked.ts";

const places = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

/** Namespaces and rights; the mounts follow. */
export const confinement: readonly string[] = [
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--new-session",
  "--die-with-parent",
  "--cap-drop",
  "ALL",
];

/** Words that old versions do not know. */
const tmpfs = ["--perms", "0755", "--size", "4096", "--tmpfs", "/tmp", "--remount-ro", "/tmp"];
/** Checks that the folder it opened is the one it mounted; distributions have carried it back into 0.6 to 0.9. */
const heldMount = ["--ro-bind-fd", "4", "/usr"];

type Probe = { bwrap: string } | { detail: string; remedy: string };

const readOptional = (file: string): string | undefined =>
  withFallback(undefined, anyError, () => readFileSync(file, "utf8"));

function attempt(bwrap: string, filter: string): string | undefined {
  const descriptor = openSync(filter, "r");
  const folder = openUnlinked("/usr");
  try {
    const world = ["--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", ...tmpfs, ...heldMount];
    const run = spawnSync(bwrap, [...confinement, ...world, "--seccomp", "3", "/bin/sh", "-c", "exit 0"], {
      stdio: ["ignore", "ignore", "pipe", descriptor, folder],
      timeout: 10_000,
      encoding: "utf8",
    });
    if (run.status === 0) return undefined;
    if (run.error) return `it cannot be started (${(run.error as NodeJS.ErrnoException).code ?? run.error.message})`;
    return (run.stderr || `exit ${run.status}`).trim().split("\n").at(-1) ?? "it failed";
  } finally {
    closeSync(descriptor);
    closeSync(folder);
  }
}

function remedyFor(problem: string): string {
  if (/unknown option/i.test(problem))
    return "Install bubblewrap 0.10 or newer, or your distribution's latest update of an older one.";
  if (/proc/.test(problem)) return "Run fettle outside the container, or allow the container to mount /proc.";
  if (/uid map|namespace|permission|not permitted/i.test(problem)) {
    return "Allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0`.";
  }
  return "Run `bwrap --unshare-all --ro-bind / / true` to see what is wrong.";
}

/** `filter` is the file with the system call filter. Under a millisecond when it worked before on this boot. */
export function probe(cacheFolder: string, filter: string): Probe {
  const found = places.map((file) => ({ file, stats: statSync(file, { throwIfNoEntry: false }) })).find((p) => p.stats);
  if (!found?.stats) {
    return {
      detail: "bubblewrap is not installed",
      remedy: "Install it: `apt-get install bubblewrap` (or your system's package manager).",
    };
  }
  const boot = readOptional("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  const limit = readOptional("/proc/sys/user/max_user_namespaces")?.trim() ?? "";
  const seal = [
    found.file,
    found.stats.mtimeMs,
    found.stats.size,
    boot,
    limit,
    process.getuid?.(),
    filter,
    heldMount.join(" "),
  ].join(" ");
  const record = path.join(cacheFolder, "sandbox-works");
  if (readOptional(record) === seal) return { bwrap: found.file };
  const problem = attempt(found.file, filter);
  if (problem !== undefined) {
    return { detail: `bubblewrap does not work here: ${problem.replace(/^bwrap: /, "")}`, remedy: remedyFor(problem) };
  }
  keepFile(record, seal);
  return { bwrap: found.file };
}
