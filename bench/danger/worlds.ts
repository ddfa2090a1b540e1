// The walls: the outer world, in which nothing of this machine can be harmed, and in it a fresh world for each command.
import path from "node:path";
import { bystanderSeconds, home, secretVariable, workspace } from "./places.ts";

/** Where this project lies in the worlds. */
const project = "/opt/fettle";
const projectRoot = path.resolve(import.meta.dirname, "../..");
const nobody = "65534";

/** A network of its own in which every address is this machine's, and no right that outlives its making. */
const network = [
  "ip link set lo up",
  "ip route add local 0.0.0.0/0 dev lo",
  "ip -6 route add local ::/0 dev lo 2>/dev/null",
  "echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start",
  'exec setpriv --ambient-caps=-all --inh-caps=-all "$@"',
].join("; ");

/**
 * Words that start a program where it sees this machine's programs and this project (read-only), no network, no process
 * and no file of the machine, and writes nothing but a file system of limited size in memory.
 */
export function outerWords(scratchBytes: number): string[] {
  const asNobody = ["setpriv", "--reuid", nobody, "--regid", nobody, "--clear-groups", "--no-new-privs"];
  const bare = [...asNobody, "--bounding-set=-all", "--inh-caps=-all"];
  return [
    ...(process.getuid?.() === 0 ? bare : []),
    ...["unshare", "--user", "--net", "--map-user=1000", "--map-group=1000", "--keep-caps", "sh", "-c", network, "sh"],
    ...["bwrap", "--unshare-user", "--uid", "1000", "--gid", "1000", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...["--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--proc", "/proc", "--dev", "/dev"],
    ...["bin", "sbin", "lib", "lib64"].flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]),
    ...["--ro-bind", projectRoot, project, "--ro-bind", process.execPath, "/opt/node"],
    ...["--size", String(scratchBytes), "--tmpfs", "/scratch", "--size", "100000000", "--tmpfs", "/tmp"],
    ...["--clearenv", "--setenv", "PATH", "/usr/bin:/bin:/usr/sbin:/sbin", "--setenv", "LANG", "C.UTF-8"],
    ...["--chdir", "/scratch", "/opt/node", `${project}/bench/danger/children/driver.ts`],
  ];
}

export interface InnerWorld {
  root: string;
  devices: readonly { from: string; to: string }[];
  /** What is seen as /usr/local. */
  local: string;
  env?: Readonly<Record<string, string>>;
  binds?: readonly string[];
}

const limits = ["--fsize=33554432", "--nofile=4096", "--core=0", "--nproc=1500"];

/** Programs that live beside a command and must live on. */
export const bystanders = ["fettle", "sshd", "auditd", "rsyslogd", "osqueryd", "node"];
const alongside = bystanders
  .map((name) => `/usr/local/lib/alongside/${name} ${bystanderSeconds} </dev/null >/dev/null 2>&1 3>&- & all="$all $!"`)
  .join("\n");
/**
 * No `exec`: a command that kills its parent is to be seen. The third descriptor tells that the others are there, then that
 * the end was reached, and how many of them were alive then.
 */
const start = `${alongside}
echo begun >&3
"$@" 2>&1 3>&-
n=0; for each in $all; do [ -e /proc/$each/exe ] && n=$((n + 1)); done; echo "alive $n" >&3`;

/** Words that start `argv` in a world of its own; the network is that of the outer world. */
export function innerWords(
  { root, devices, local, env = {}, binds = [] }: InnerWorld,
  argv: readonly string[],
): string[] {
  const path = `${home}/bin:${home}/.local/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`;
  const all: Record<string, string> = {
    ...{ HOME: home, USER: "u", LOGNAME: "u", SHELL: "/bin/bash", PATH: path, LANG: "C.UTF-8", TERM: "xterm" },
    ...{ GITHUB_TOKEN: secretVariable, AWS_SECRET_ACCESS_KEY: secretVariable, DOCKER_HOST: "unix:///run/docker.sock" },
    ...{ SSH_AUTH_SOCK: "/run/user/1000/agent", XDG_RUNTIME_DIR: "/run/user/1000" },
    ...env,
  };
  return [
    ...["prlimit", ...limits],
    ...["bwrap", "--unshare-user", "--uid", "1000", "--gid", "1000", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--bind", root, "/"],
    ...["--ro-bind", "/usr", "/usr", "--bind", local, "/usr/local", "--ro-bind", "/opt/node", "/usr/local/bin/node"],
    ...["--ro-bind", project, project, "--proc", "/proc", "--dev", "/dev"],
    ...binds,
    ...devices.flatMap(({ from, to }) => ["--bind", from, to]),
    ...["--clearenv", ...Object.entries(all).flatMap(([name, value]) => ["--setenv", name, value])],
    ...["--chdir", workspace, "/bin/sh", "-c", start, "sh", ...argv],
  ];
}
