// Hostile commands in the real sandbox. What they are after stands outside and has to be as it was.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyError, withFallback } from "../../src/base/fallback.ts";
import { makeWorld, run, sandboxed, sandboxWorks, type World } from "../io/support/world.ts";

const works = sandboxWorks();

interface Outside {
  world: World;
  sockets: string[];
  abstract: string;
  port: number;
  bystander: ChildProcess;
  servers: Server[];
  folder: string;
  shared: string;
  message: string | undefined;
}
let outside: Outside;

const token = "CANARY-7f3a";
const git = (folder: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: folder, encoding: "utf8" });
const listen = (server: Server, where: string | number | { path: string }) =>
  new Promise<void>((done) => {
    if (typeof where === "number") server.listen(where, "127.0.0.1", () => done());
    else server.listen(where, () => done());
  });

/** A System V message queue is the host's to see for every process outside a namespace of its own. */
const messageQueue = (): string | undefined =>
  withFallback(undefined, anyError, () => /id: (\d+)/.exec(execFileSync("ipcmk", ["-Q"], { encoding: "utf8" }))?.[1]);

beforeAll(async () => {
  const world = makeWorld();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "fettle-outside-"));
  const servers: Server[] = [];
  const answer = () => {
    const server = createServer((socket) => socket.on("error", () => undefined).end(token));
    servers.push(server);
    return server;
  };
  const sockets = [path.join(folder, "docker.sock"), path.join(world.workspace, "agent.sock")];
  for (const place of sockets) await listen(answer(), place);
  const abstract = `fettle-${process.pid}`;
  await listen(answer(), { path: `\0${abstract}` });
  const door = answer();
  await listen(door, 0);
  fs.mkdirSync(path.join(world.home, ".ssh"));
  for (const file of [".ssh/id_ed25519", ".netrc", "notes.txt"]) fs.writeFileSync(path.join(world.home, file), token);
  fs.writeFileSync(path.join(folder, "file"), token, { mode: 0o666 });
  const shared = `/dev/shm/fettle-${process.pid}`;
  fs.writeFileSync(shared, token);
  git(world.workspace, "init", "-q");
  fs.writeFileSync(path.join(world.workspace, "code.txt"), "one\n");
  git(world.workspace, "add", ".");
  git(world.workspace, "commit", "-qm", "one");
  const bystander = spawn("/bin/bash", ["-c", `SECRET=${token}; export SECRET; exec -a ${token} sleep 120`], {
    env: { PATH: "/usr/bin:/bin", BYSTANDER: token },
  });
  outside = {
    ...{ world, sockets, abstract, bystander, servers, folder, shared },
    port: (door.address() as { port: number }).port,
    message: messageQueue(),
  };
});

afterAll(() => {
  outside.bystander.kill("SIGKILL");
  for (const server of outside.servers) server.close();
  if (outside.message !== undefined) execFileSync("ipcrm", ["-q", outside.message]);
  for (const place of [outside.folder, outside.shared]) fs.rmSync(place, { recursive: true, force: true });
  outside.world.remove();
});

/** Everything outside, as one text. */
function state(): string {
  const { world, folder, shared, bystander } = outside;
  const files = [".ssh/id_ed25519", ".netrc", "notes.txt"].map((file) => path.join(world.home, file));
  const kept = [...files, path.join(folder, "file"), shared].map((file) => fs.readFileSync(file, "utf8"));
  const names = [fs.readdirSync(world.home), fs.readdirSync(folder), fs.readdirSync(path.join(world.home, ".ssh"))];
  const kernel = ["core_pattern", "hostname", "modprobe"].map((name) =>
    fs.existsSync(`/proc/sys/kernel/${name}`) ? fs.readFileSync(`/proc/sys/kernel/${name}`, "utf8") : "",
  );
  const mounts = fs.readFileSync("/proc/self/mountinfo", "utf8").split("\n").length;
  const priority = os.getPriority(bystander.pid);
  const alive = bystander.exitCode === null && bystander.signalCode === null;
  return JSON.stringify({ kept, names, kernel, mounts, priority, alive, host: os.hostname() });
}

const python = (...lines: string[]) =>
  `/usr/bin/python3 - <<'END'\n${["import ctypes, os, socket, struct, sys, fcntl", ...lines].join("\n")}\nEND`;
/** Numbers of calls on x64 and arm64; the answer is the error's number, or 0. */
const syscall = (numbers: [x64: number, arm64: number], ...words: string[]) =>
  python(
    "libc = ctypes.CDLL(None, use_errno=True)",
    `r = libc.syscall(${numbers[process.arch === "arm64" ? 1 : 0]}, ${["0", ...words].slice(words.length > 0 ? 1 : 0).join(", ")})`,
    "print('GOT' if r >= 0 else 'errno', ctypes.get_errno())",
  );

interface Attack {
  /** Without the wall it prints the token: then it is a real attack and not a typing error. */
  bare?: boolean;
  /** What it prints inside; without it, only that it gives away and changes nothing. */
  inside?: RegExp;
  command: (it: Outside) => string;
}
const refused = /errno (1|38|13|22|3|95|97)\b/;
const attack = (command: Attack["command"], more: Omit<Attack, "command"> = {}): Attack => ({ command, ...more });

const readings: Record<string, Attack> = {
  "a key in the home folder": attack(({ world }) => `cat ${world.home}/.ssh/id_ed25519`, { bare: true }),
  "a file beside the workspace": attack(() => "cat ../notes.txt", { bare: true }),
  "the home folder through ~": attack(() => "cat ~/.netrc", { bare: true }),
  "the home folder through the working folder of another process": attack(
    ({ world }) => `cat /proc/self/cwd/../.netrc /proc/${process.pid}/root${world.home}/.netrc`,
    { bare: true },
  ),
  "the root of the first process": attack(({ world }) => `cat /proc/1/root${world.home}/.netrc`),
  "another program's temporary file": attack(({ folder }) => `cat ${folder}/file`, { bare: true }),
  "memory shared on the host": attack(({ shared }) => `cat ${shared}`, { bare: true }),
  "the environment of another process": attack(
    ({ bystander }) => `cat /proc/${bystander.pid}/environ | tr '\\0' '\\n'`,
    {
      bare: true,
    },
  ),
  "the environment of every process": attack(() => `cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep ${token}`),
  "the command lines of every process": attack(() => "ps -eo args; cat /proc/[0-9]*/cmdline"),
  "a link made in the workspace": attack(({ world }) => `ln -s ${world.home}/.netrc l; cat l; rm l`, { bare: true }),
  "a hard link made in the workspace": attack(({ world }) => `ln ${world.home}/.netrc h; cat h; rm -f h`, {
    bare: true,
  }),
  "a path socket in the temporary folder": attack(
    ({ sockets }) => python("s = socket.socket(socket.AF_UNIX)", `s.connect("${sockets[0]}")`, "print(s.recv(99))"),
    { bare: true },
  ),
  "a path socket in the workspace": attack(
    ({ sockets }) => python("s = socket.socket(socket.AF_UNIX)", `s.connect("${sockets[1]}")`, "print(s.recv(99))"),
    { bare: true },
  ),
  "an abstract socket": attack(
    ({ abstract }) => python("s = socket.socket(socket.AF_UNIX)", `s.connect("\\0${abstract}")`, "print(s.recv(99))"),
    { bare: true },
  ),
  "a socket's descriptor sent through a pair": attack(({ sockets }) =>
    python(
      "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
      `b.sendto(b'x', "${sockets[0]}"); b.connect("${sockets[0]}"); print(b.recv(99))`,
    ),
  ),
  "the host's loopback": attack(({ port }) => `cat </dev/tcp/127.0.0.1/${port}`, { bare: true }),
  "the host's loopback in six bytes": attack(({ port }) =>
    python(`s = socket.create_connection(("::ffff:127.0.0.1", ${port}), 2)`, "print(s.recv(99))"),
  ),
  "the memory of another process": attack(
    ({ bystander }) => `head -c 100 /proc/${bystander.pid}/mem; cat /proc/${bystander.pid}/maps`,
  ),
  "the host's message queues": attack(({ message }) => `ipcs -q | grep -w ${message ?? "none"} && echo ${token}`),
  "the kernel's log": attack(() => "dmesg && echo CANARY-7f3a; cat /dev/kmsg /proc/kmsg"),
  "the machine's disks": attack(
    () => "ls /dev; cat /dev/[sv]da* /dev/nvme* /dev/mem /dev/kcore 2>/dev/null | head -c 9",
    {
      inside: /^(?!.*\b([sv]da|nvme|mem)\b).*null/s,
    },
  ),
  "files by handle": attack(() => syscall([304, 265], "-100", "0", "0"), { inside: refused }),
  "the folder that the descriptors lead to": attack(
    () => "for n in 3 4 5 6 7 8 9; do cat /proc/self/fd/$n/../.netrc; done",
  ),
};

const doings: Record<string, Attack> = {
  "writes beside the workspace": attack(({ world }) => `echo x > ${world.home}/planted; echo x > ../planted`),
  "overwrites a file that anybody may write": attack(({ folder }) => `echo x > ${folder}/file; rm -rf ${folder}`),
  "writes through a link": attack(({ folder }) => `ln -s ${folder}/file w; echo x > w; rm w`),
  "renames its way out": attack(
    ({ world }) => `mv code.txt ${world.home}/code.txt; mv code.txt ../; git checkout -q code.txt`,
  ),
  "replaces the workspace": attack(({ world }) => `cd ..; mv project p2; rm -rf ${world.home}/project/../.ssh`),
  "writes system files": attack(
    () => "echo x >> /etc/profile.d/fettle-x.sh; touch /usr/bin/fettle-x /lib/fettle-x /boot/x",
    {
      inside: /(Read-only file system|Permission denied).*\1/s,
    },
  ),
  "plants a job for later": attack(
    () =>
      "echo '* * * * * root touch /tmp/x' > /etc/cron.d/fettle-x; echo true | at now; crontab -l; echo x | crontab -; systemd-run --user true",
    {
      inside: /Read-only|not found|denied/,
    },
  ),
  "names a program for crashes": attack(() => "(exec 3>>/proc/sys/kernel/core_pattern) || echo closed", {
    inside: /closed/,
  }),
  "names a program for modules": attack(() => "(exec 3>>/proc/sys/kernel/modprobe) || echo closed", {
    inside: /closed/,
  }),
  "registers an interpreter": attack(() => "(exec 3>>/proc/sys/fs/binfmt_misc/register) || echo closed", {
    inside: /closed/,
  }),
  "presses the kernel's keys": attack(() => "(exec 3>>/proc/sysrq-trigger) || echo closed", { inside: /closed/ }),
  "writes device settings": attack(
    () =>
      "for f in /sys/kernel/mm/ksm/run /sys/power/state /sys/fs/cgroup/*/release_agent /sys/fs/cgroup/release_agent; do (exec 3>>$f) && echo OPENED; done; echo end",
    { inside: /^(?!.*OPENED).*end/s },
  ),
  "makes a control group": attack(
    () => "mkdir /sys/fs/cgroup/fettle-x /sys/fs/cgroup/*/fettle-x && echo MADE; echo end",
    {
      inside: /^(?!.*MADE).*end/s,
    },
  ),
  "signals the host's processes": attack(
    ({ bystander }) => `kill -9 ${bystander.pid}; kill -9 ${process.pid}; pkill -9 -f ${token}`,
  ),
  "signals everything": attack(() => "(kill -9 -1); echo end"),
  "slows the host's processes": attack(
    ({ bystander }) =>
      `renice 19 ${bystander.pid}; prlimit --pid ${bystander.pid} --nofile=3; ionice -p ${bystander.pid} -c3`,
  ),
  "traces a process of the host": attack(
    ({ bystander }) => syscall([101, 117], "16", String(bystander.pid), "0", "0"),
    { inside: refused },
  ),
  "reads another process by number": attack(
    ({ bystander }) =>
      python(
        "libc = ctypes.CDLL(None, use_errno=True)",
        "here = ctypes.create_string_buffer(8)",
        "one = (ctypes.c_ulong * 2)(ctypes.addressof(here), 8)",
        `print('read', libc.process_vm_readv(${bystander.pid}, one, 1, one, 1, 0), 'errno', ctypes.get_errno())`,
      ),
    { inside: /read -1 errno (1|3)\b/ },
  ),
  "takes a descriptor of another process": attack(() => syscall([434, 434], String(process.pid), "0"), {
    inside: refused,
  }),
  "makes a namespace": attack(() => "unshare -Urm sh -c 'id -u; mount -t tmpfs x /mnt && echo MOUNTED'; echo end", {
    inside: /^(?!.*MOUNTED).*not permitted.*end/s,
  }),
  "makes a namespace by itself": attack(() => syscall([272, 97], "0x10000000"), { inside: refused }),
  "clones into a namespace": attack(() => syscall([56, 220], "0x10000011", "0", "0", "0", "0"), { inside: refused }),
  "clones in a way nobody can look into": attack(() => syscall([435, 435], "0", "0"), { inside: /errno 38/ }),
  "enters the host's namespaces": attack(() => "nsenter -t 1 -a id; nsenter --mount=/proc/1/ns/mnt id; echo end", {
    inside: /^(?!uid).*(denied|not permitted|No such).*end/s,
  }),
  mounts: attack(() => "mount -t tmpfs x /mnt; mount --bind / /mnt; mount -o remount,rw /; echo end", {
    inside: /end/,
  }),
  "uncovers what is hidden": attack(
    ({ world }) => `umount -l ${world.home}; umount /tmp; umount .git; cat ${world.home}/.netrc; echo end`,
    { inside: /end/ },
  ),
  "mounts by the newer calls": attack(() => syscall([428, 428], "-100", "b'/'", "1"), { inside: refused }),
  "changes its root": attack(() => "chroot / id; pivot_root . .; echo end", { inside: /^(?!uid).*end/s }),
  "loads a module": attack(() => syscall([175, 105], "0", "0", "0"), { inside: refused }),
  "loads a program into the kernel": attack(() => syscall([321, 280], "0", "0", "0"), { inside: refused }),
  "asks for a key ring": attack(() => syscall([250, 219], "0", "-3", "0"), { inside: refused }),
  "opens a ring that passes by the filter": attack(() => syscall([425, 425], "8", "0"), { inside: refused }),
  "handles page faults": attack(() => syscall([323, 282], "1"), { inside: refused }),
  "counts events of the machine": attack(() => syscall([298, 241], "0", "-1", "0", "-1", "0"), { inside: refused }),
  "speaks as a 32-bit program": attack(() =>
    python(
      "import mmap",
      "m = mmap.mmap(-1, 4096, prot=7)",
      // mov eax, 20; int 0x80; ret
      "m.write(b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3')",
      "f = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))",
      "print('G' + 'OT', f())",
    ),
  ),
  "sends raw packets": attack(
    () =>
      python(
        "for f, k in ((17, 3), (2, 3), (40, 1), (38, 5), (31, 3)):",
        " try:",
        "  socket.socket(f, k); print('OPENED', f)",
        " except OSError as e: print('errno', e.errno)",
      ),
    {
      inside: /^(?!.*OPENED).*errno/s,
    },
  ),
  "types into a terminal": attack(
    () =>
      python(
        "try:",
        " fcntl.ioctl(0, 0x5412, b'x')",
        " print('TYPED')",
        "except OSError as e: print('errno', e.errno)",
      ) + "\necho x > /dev/tty",
    {
      inside: /^(?!.*TYPED).*(errno 1\b|No such device)/s,
    },
  ),
  "makes a program that runs as its owner": attack(
    () => "cp /bin/true s; chmod u+s s; chmod 4755 s; install -m 4755 /bin/true s2; stat -c %a s s2; rm -f s s2",
    {
      inside: /not permitted/,
    },
  ),
  "gets rights from a program of root's": attack(
    () => "sudo -n id; su -c id; newgrp root -c id; pkexec id; grep -E 'CapEff|NoNewPrivs' /proc/self/status",
    {
      inside: /CapEff:\s+0+\n(.*\n)*NoNewPrivs:\s+1/,
    },
  ),
  "makes a device": attack(() => "mknod d b 8 0; mknod k c 1 1; ls d k 2>&1; rm -f d k", { inside: /not permitted/ }),
  "renames the machine": attack(() => "hostname pwned; hostname", { inside: /^(?!pwned$)/m }),
  "outlives its end": attack(
    () => `(setsid sh -c 'trap "" TERM HUP; exec -a ${token}-late sleep 100' &) ; nohup sleep 100 & disown; echo end`,
    { inside: /end/ },
  ),
};

describe.skipIf(!works)("in the sandbox", () => {
  test.each(Object.entries(readings))("nobody reads %s", async (_name, { command, bare, inside }) => {
    const text = command(outside);
    if (bare) expect((await run(outside.world, text)).output).toContain(token);
    const before = state();
    const exit = await sandboxed(outside.world, text, { process: { timeoutMs: 10_000 } });
    expect(exit.output).not.toContain(token);
    if (inside) expect(exit.output).toMatch(inside);
    expect(exit.ended).toBe("exited");
    expect(state()).toBe(before);
  });

  test.each(Object.entries(doings))("nobody %s", async (_name, { command, inside }) => {
    const before = state();
    const exit = await sandboxed(outside.world, command(outside), { process: { timeoutMs: 10_000 } });
    if (inside) expect(exit.output).toMatch(inside);
    expect(exit.output).not.toMatch(/\bGOT\b/);
    expect(exit.ended).toBe("exited");
    expect(state()).toBe(before);
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(`${token}-late`);
    expect(fs.existsSync("/etc/cron.d/fettle-x")).toBe(false);
  });
});
