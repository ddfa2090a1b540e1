import { execFileSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { holdsPassword } from "../../../src/io/sandbox/hidden.ts";
import { Egress } from "../../../src/io/net/egress.ts";
import { nestedNamed } from "../../../src/io/git/repositories.ts";
import { detectSandbox } from "../../../src/io/sandbox/sandbox.ts";
import { makeWorld, personHome, run, sandboxed, sandboxSpec, sandboxWorks, type World } from "../support/world.ts";

let world: World;
const git = (folder: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: folder, stdio: "pipe" });

beforeAll(() => {
  world = makeWorld();
  writeFileSync(path.join(world.home, "secret.txt"), "top secret");
  writeFileSync(path.join(world.workspace, "file.txt"), "hello\n");
  git(world.workspace, "init", "-q");
  git(world.workspace, "add", ".");
  git(world.workspace, "commit", "-qm", "one");
});
afterAll(() => world.remove());

const works = sandboxWorks();

test("the state of the sandbox is plain when it is switched off", () => {
  const off = detectSandbox({ enabled: false, cacheFolder: world.cache });
  expect(off).toMatchObject({ name: "none", detail: expect.stringContaining("switched off") });
  expect(off.wrap(["a", "b"], {} as never)).toMatchObject({ argv: ["a", "b"], contained: false });
});

describe.skipIf(!works)("a sandboxed process", () => {
  test("writes in the workspace and in the private temporary folder", async () => {
    const exit = await sandboxed(world, 'echo x > made.txt && echo y > "$TMPDIR/y" && cat file.txt && pwd');
    expect(exit).toMatchObject({ code: 0, output: `hello\n${world.workspace}\n` });
    expect(readFileSync(path.join(world.workspace, "made.txt"), "utf8")).toBe("x\n");
    expect(readFileSync(path.join(world.temporary, "y"), "utf8")).toBe("y\n");
  });

  test("reads the workspace and changes nothing in it when it was judged to change nothing", async () => {
    const exit = await sandboxed(world, 'cat file.txt; echo x >> file.txt; echo y > "$TMPDIR/z"', { readOnly: true });
    expect(exit.output).toContain("hello");
    expect(exit.output).toContain("Read-only file system");
    expect(readFileSync(path.join(world.workspace, "file.txt"), "utf8")).toBe("hello\n");
    expect(existsSync(path.join(world.temporary, "z"))).toBe(true);
  });

  test("writes nowhere else on the machine", async () => {
    // Existing files are opened only, never written: a failing test must not change the machine.
    const opened = [
      "/etc/hostname",
      "/proc/sys/kernel/core_pattern",
      "/proc/sys/vm/drop_caches",
      "/sys/kernel/mm/ksm/run",
    ];
    const places = ["/etc/fettle-x", "/usr/fettle-x", "/fettle-x", "/opt/fettle-x", ...opened];
    for (const place of places.filter((file) => file.endsWith("-x") || existsSync(file))) {
      const exit = await sandboxed(world, `exec 3>>${place}`);
      expect(`${place} ${exit.code}`).not.toBe(`${place} 0`);
      expect(`${place}: ${exit.output}`).toMatch(/Read-only file system|Permission denied/);
    }
    // The kernel itself asks for CAP_SYS_ADMIN at /proc/mtrr.
    const devices = await sandboxed(
      world,
      "find /proc /sys -maxdepth 6 -type f -perm -200 -writable 2>/dev/null | grep -vE '^/proc/(([0-9]+|self|thread-self|pressure)/|mtrr$)' | head -5; ls /dev",
    );
    expect(devices.output).not.toMatch(/\/proc\/|\/sys\/|\b[vs]da\b|\bmem\b/);
    const lost = await sandboxed(world, `echo x > ${world.home}/escaped; echo x > /tmp/fettle-escaped; echo done`);
    expect(lost.output).toContain("done");
    expect(existsSync(path.join(world.home, "escaped"))).toBe(false);
    expect(existsSync("/tmp/fettle-escaped")).toBe(false);
  });

  test("follows no link out of the workspace into something writable", async () => {
    symlinkSync(path.join(world.home, "secret.txt"), path.join(world.workspace, "out"));
    const exit = await sandboxed(world, "cat out; echo replaced > out");
    expect(exit.output).not.toContain("top secret");
    expect(readFileSync(path.join(world.home, "secret.txt"), "utf8")).toBe("top secret");
  });

  test("does not see the home folder's secrets, fettle's own folders, masked files", async () => {
    const own = path.join(world.root, "own");
    const inside = path.join(world.workspace, "own-inside");
    for (const folder of [own, inside]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, "state.db"), "OWN-SECRET");
    }
    const env = path.join(world.workspace, ".env");
    writeFileSync(env, "TOKEN=HIDDEN-TOKEN\n");
    const exit = await sandboxed(
      world,
      `cat ${world.home}/secret.txt ${own}/state.db ${inside}/state.db .env; echo x > .env; echo x > ${inside}/y; ls -A ${world.home} ${inside}`,
      { own: [own, inside], masked: [env, path.join(world.workspace, "absent.env")] },
    );
    expect(exit.output).not.toMatch(/top secret|OWN-SECRET|HIDDEN-TOKEN/);
    expect(exit.output).toMatch(/own-inside\/y: Read-only file system/);
    expect(readFileSync(env, "utf8")).toBe("TOKEN=HIDDEN-TOKEN\n");
    expect(existsSync(path.join(world.workspace, "absent.env"))).toBe(false);
    expect(readdirSync(inside)).toEqual(["state.db"]);
  });

  test.skipIf(process.getuid?.() !== 0)("started by root reads no more than a person would", async () => {
    const exit = await sandboxed(
      world,
      "cat /etc/shadow /etc/gshadow /etc/shadow- 2>/dev/null; ls -A /root /home /etc/ssl/private 2>/dev/null",
    );
    expect(holdsPassword(exit.output)).toBe(false);
    // Folders of PATH stay, with what leads to them.
    const seen = exit.output
      .split("\n")
      .filter((line) => line !== "" && !line.includes(":") && !/^\.(cargo|pyenv)$/.test(line));
    expect(seen).toEqual([]);
    expect((await sandboxed(world, "(exec 3>>/proc/irq/default_smp_affinity); echo $?")).output).toMatch(/[^0]\n$/);
  });

  test("hides password files that hold one, and no others", () => {
    expect(holdsPassword("root:*:19000:0:99999:7:::\ndaemon:!:1::::::\nx:!*:::\nbin:x:1\nsys::3:\n")).toBe(false);
    expect(holdsPassword("root:*:19000:0:::::\nme:$6$salt$hash:19000:0:::::\n")).toBe(true);
    expect(holdsPassword("old:ab01FAX.bQRSU:1::::::\n")).toBe(true);
  });

  test.skipIf(process.getuid?.() !== 0)("of an ordinary user works the same", () => {
    const script = `
      import { sandboxed, makeWorld } from ${JSON.stringify(path.resolve("test/io/support/world.ts"))};
      const world = makeWorld();
      const exit = await sandboxed(world, "id -u; echo x > made; cat made; echo x > /var/x; cd; pwd; (exec 3<>/dev/tcp/127.0.0.1/22)");
      world.remove();
      console.log(exit.output);`;
    const drop = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    const out = execFileSync("setpriv", [...drop, process.execPath, "--input-type=module", "-e", script], {
      env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent" },
      encoding: "utf8",
    });
    expect(out).toMatch(/^65534\nx\n.*Read-only file system\n\/tmp\/.*\/home\n.*Connection refused/s);
  });

  test.skipIf(process.getuid?.() !== 0)("of root can still change files of another owner", async () => {
    const foreign = path.join(world.root, "foreign");
    mkdirSync(foreign);
    writeFileSync(path.join(foreign, "theirs"), "a\n", { mode: 0o600 });
    for (const file of [foreign, path.join(foreign, "theirs")]) chownSync(file, 1234, 1234);
    const command =
      "echo b >> theirs; cat theirs; (exec 3>>/etc/hostname); (exec 3>>/proc/sys/kernel/core_pattern); umount /tmp; mount -t tmpfs x /opt";
    const exit = await sandboxed(world, command, { workspace: foreign, cwd: foreign });
    expect(exit.output).toMatch(/^a\nb\n/);
    expect(exit.output.match(/Read-only file system|permission denied|must be superuser/g)).toHaveLength(4);
  });

  test("does not see the keys in a home folder that is itself the workspace", async () => {
    for (const name of [".ssh", ".aws"]) {
      mkdirSync(path.join(world.home, name), { recursive: true });
      writeFileSync(path.join(world.home, name, "key"), "HOME-KEY");
    }
    writeFileSync(path.join(world.home, ".netrc"), "HOME-KEY");
    const spec = { workspace: world.home, cwd: world.home };
    const exit = await sandboxed(
      world,
      "cat secret.txt .ssh/key .aws/key .netrc; echo x > .ssh/planted; echo y > made",
      spec,
    );
    expect(exit.output).toContain("top secret");
    expect(exit.output).not.toContain("HOME-KEY");
    expect(existsSync(path.join(world.home, ".ssh/planted"))).toBe(false);
    expect(existsSync(path.join(world.home, "made"))).toBe(true);
  });

  test("does not start without its system call filter", async () => {
    const sandbox = detectSandbox({ enabled: true, cacheFolder: world.cache, home: world.home });
    const { argv } = sandbox.wrap(["/bin/echo", "RAN"], sandboxSpec(world));
    const exit = await run(world, "", { argv });
    expect(exit.output).not.toContain("RAN");
    expect(exit.code).not.toBe(0);
  });

  test("cannot undo the covers from a namespace of its own", async () => {
    const env = path.join(world.workspace, ".env.local");
    writeFileSync(env, "HIDDEN-TOKEN");
    const attempt = `unshare -Urm sh -c 'umount ${env}; umount -l ${world.home}; mount -o remount,rw,bind /; cat ${env} ${world.home}/secret.txt; echo x > /etc/fettle-x'; cat ${env}`;
    const exit = await sandboxed(world, attempt, { masked: [env] });
    expect(exit.output).not.toMatch(/HIDDEN-TOKEN|top secret/);
    expect(existsSync("/etc/fettle-x")).toBe(false);
  });

  test("has no network, not even the host's loopback, unless a door leads there", async () => {
    const server = createServer((socket) => socket.end("REACHED"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
    const { port } = server.address() as { port: number };
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    try {
      expect((await sandboxed(world, command)).output).not.toContain("REACHED");
      const egress = new Egress({ hosts: [`127.0.0.1:${port}`], anyPublic: false });
      const onDoor = (at: number, door: Server) => egress.attach(at, door);
      const granted = await sandboxed(world, command, { network: egress.ports, process: { onDoor } });
      egress.close();
      expect(granted.output).toContain("REACHED");
    } finally {
      server.close();
    }
  });

  test("reaches no path socket of the host, not by a connected pair either", async () => {
    const socketPath = path.join(world.workspace, "host.sock");
    const server = createServer((socket) => socket.end("REACHED"));
    await new Promise<void>((done) => server.listen(socketPath, () => done()));
    const script = [
      "import socket,sys",
      "def attempt(make):",
      "  try:",
      "    s=make(); s.connect(sys.argv[1]); print(s.recv(99))",
      "  except OSError as e: print('refused', e.errno)",
      "attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))",
      "attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))",
      "attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0])",
      "attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)[0])",
      "attempt(lambda: socket.socket(40, socket.SOCK_STREAM))",
      "a,b=socket.socketpair(); a.send(b'pair works'); print(b.recv(99))",
    ].join("\n");
    try {
      const reach = { process: { argv: ["/usr/bin/python3", "-c", script, socketPath] } };
      const open = await run(world, "", reach.process);
      expect(open.output).toContain("REACHED");
      for (const network of [false, [17_871]] as const) {
        const doors = network && { onDoor: (_port: number, door: Server) => door.close() };
        const exit = await sandboxed(world, "", { process: { ...reach.process, ...doors }, network });
        expect(exit.output).not.toContain("REACHED");
        // EPERM where no socket came to be, EISCONN for the connected pair.
        expect(exit.output.match(/refused \d+/g)?.map((line) => line.slice(8))).toEqual(["1", "1", "1", "106", "1"]);
        expect(exit.output).toContain("pair works");
      }
    } finally {
      server.close();
    }
  });

  test("sees and signals no process of the host", async () => {
    const exit = await sandboxed(
      world,
      `ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} 2>&1; ls /proc/${process.pid}`,
    );
    expect(Number(exit.output.split("\n")[0])).toBeLessThan(8);
    expect(exit.output).toMatch(/No such (process|file)/);
  });

  test("inherits no open file, also none that fettle's own parent left open", () => {
    const script = `
      import { sandboxed, makeWorld } from ${JSON.stringify(path.resolve("test/io/support/world.ts"))};
      const world = makeWorld();
      const exit = await sandboxed(world, "ls -l /proc/self/fd; ls /proc/self/fd/9/; echo x > /proc/self/fd/9/planted");
      world.remove();
      console.log(exit.output);`;
    const command = [process.execPath, "--input-type=module", "-e", script];
    const leaky = ["bash", "-c", 'exec 9<"$0" 57<"$0"; exec "$@"', world.home, ...command];
    const out = execFileSync(leaky[0] ?? "", leaky.slice(1), { encoding: "utf8" });
    expect(out).toContain("/proc");
    expect(out).not.toContain(world.home);
    expect(out).not.toContain("secret.txt");
    expect(existsSync(path.join(world.home, "planted"))).toBe(false);
  });

  test("gains no privileges and holds no capabilities", async () => {
    const exit = await sandboxed(world, "grep -E '^(NoNewPrivs|CapEff|CapBnd|Seccomp):' /proc/self/status");
    expect(exit.output).toMatch(/NoNewPrivs:\s+1/);
    expect(exit.output).toMatch(/CapEff:\s+0{16}/);
    expect(exit.output).toMatch(/Seccomp:\s+2/);
  });

  test("changes no git control file, in nested repositories either, and cannot move .git away", async () => {
    const nested = path.join(world.workspace, "vendor/inner");
    const fresh = makeWorld();
    try {
      mkdirSync(path.join(fresh.workspace, "vendor/inner"), { recursive: true });
      git(fresh.workspace, "init", "-q");
      git(path.join(fresh.workspace, "vendor/inner"), "init", "-q");
      const exit = await sandboxed(
        fresh,
        "echo x >> .git/config; echo x > .git/commondir; mv .git x; rm -rf .git; echo x > .git/hooks/pre-commit; echo x >> vendor/inner/.git/config; git status --short; git config a.b c",
      );
      expect(exit.output.match(/Read-only file system|Device or resource busy/g)?.length).toBeGreaterThanOrEqual(6);
      expect(readFileSync(path.join(fresh.workspace, ".git/config"), "utf8")).not.toContain("x\n");
      expect(existsSync(path.join(fresh.workspace, ".git/commondir"))).toBe(false);
      const granted = await sandboxed(fresh, "git config a.b c && git config a.b", { gitWritable: true });
      expect(granted).toMatchObject({ code: 0, output: "c\n" });
    } finally {
      fresh.remove();
    }
    expect(existsSync(nested)).toBe(false);
  });

  test("works in a linked worktree whose git folder lies elsewhere", async () => {
    const tree = path.join(world.root, "tree");
    git(world.workspace, "worktree", "add", "-q", tree);
    const spec = { workspace: tree, cwd: tree, process: { cwd: tree } };
    const read = await sandboxed(world, "git log --oneline; git commit --allow-empty -m two", spec);
    expect(read.output).toMatch(/one\n/);
    expect(read.code).not.toBe(0);
    // Also for what was judged to change nothing.
    const only = await sandboxed(world, "git log --oneline; git status --short; touch x", { ...spec, readOnly: true });
    expect(only.output).toMatch(/one\n[^]*Read-only file system/);
    const commit = "git -c user.name=t -c user.email=t@t commit -q --allow-empty -m two && git log --oneline";
    expect((await sandboxed(world, commit, { ...spec, gitWritable: true })).output).toContain("two");
  });

  test("sees system and roots, and nothing else of the machine", async () => {
    const { output } = await sandboxed(
      world,
      "ls -A /; ls -A /var /var/lib /mnt /srv /media /home 2>/dev/null; echo x > /x",
    );
    const top = output.split("\n\n")[0] ?? "";
    const words = "bin dev etc gnu home lib lib32 lib64 libx32 nix opt proc run sbin snap sys tmp usr var".split(" ");
    const more = top.split("\n").filter((name) => /^\w+$/.test(name) && !words.includes(name));
    // Folders of PATH are shown, and with them their names on the way.
    const paths = (process.env["PATH"] ?? "").split(":").map((folder) => folder.split("/")[1]);
    const known = new Set([personHome.split("/")[1], ...paths]);
    expect(more.filter((name) => !known.has(name))).toEqual([]);
    expect(output).toContain("/x: Read-only file system");
    const works =
      "git --version && perl -e 'print 1' && getent passwd 0 && ls /etc/ssl/certs | head -1 && ls /proc/self/fd";
    expect((await sandboxed(world, works)).code).toBe(0);
  });

  test("works wherever the workspace lies", async ({ skip }) => {
    if (process.getuid?.() !== 0) skip("only root makes folders there");
    for (const parent of ["/", "/srv", "/opt", "/mnt", "/var/lib", "/tmp", "/usr/local"]) {
      const folder = mkdtempSync(path.join(parent, "fettle-lies-"));
      const beside = mkdtempSync(path.join(parent, "fettle-beside-"));
      try {
        const shown = ["/opt", "/usr/local"].includes(parent) ? "file" : "hidden";
        writeFileSync(path.join(beside, "file"), "hunter2");
        const spec = { workspace: folder, cwd: folder, process: { cwd: folder }, masked: [path.join(beside, "file")] };
        const { output } = await sandboxed(
          world,
          `echo x > made && ls; ls ${beside} || echo hidden; echo x > ${beside}/y; cat ${beside}/file`,
          spec,
        );
        expect(`${parent}: ${output}`).toMatch(new RegExp(`^${parent}: made\n`));
        expect(output).toMatch(new RegExp(`${shown}(?![^]*hunter2)`));
        expect(readdirSync(beside)).toEqual(["file"]);
        expect(readdirSync(folder)).toEqual(["made"]);
      } finally {
        for (const each of [folder, beside]) rmSync(each, { recursive: true });
      }
    }
  });

  test("opens only the repository at the top to a judged git command, and one below where it works", async () => {
    const fresh = makeWorld();
    try {
      const inner = path.join(fresh.workspace, "vendor/inner");
      mkdirSync(inner, { recursive: true });
      git(fresh.workspace, "init", "-q");
      git(inner, "init", "-q");
      const write = "echo x > vendor/inner/.git/made; echo y > .git/made; true";
      const made = () => [inner, fresh.workspace].map((folder) => existsSync(path.join(folder, ".git/made")));
      await sandboxed(fresh, write, { gitWritable: true });
      expect(made()).toEqual([false, true]);
      await sandboxed(fresh, write, { gitWritable: true, gitIn: [inner] });
      expect(made()).toEqual([true, true]);
      const named = (command: string) => nestedNamed(fresh.workspace, command);
      expect(named("git add -A")).toEqual([]);
      for (const command of ["git -C vendor/inner add .", 'cd "vendor" && cd inner; git add .'])
        expect(named(command)).toEqual([inner]);
    } finally {
      fresh.remove();
    }
  });

  test("keeps fork with messages, worker threads and the toolchains of the home folder", async () => {
    writeFileSync(
      path.join(world.workspace, "fork.cjs"),
      `const {fork}=require("child_process");const {Worker,isMainThread,parentPort}=require("worker_threads");
       if(process.argv[2]){process.send("forked");process.exit()}
       else if(!isMainThread)parentPort.postMessage("thread");
       else{fork(__filename,["x"]).on("message",m=>console.log(m));new Worker(__filename).on("message",m=>console.log(m))}`,
    );
    // The Node of this checkout is not visible inside.
    const visibleNode = "/usr/bin/env node";
    const home = personHome;
    const env = { ...process.env, HOME: home, TMPDIR: world.temporary } as Record<string, string>;
    const node = await sandboxed(
      world,
      `${visibleNode} fork.cjs; python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs,[-7]))'`,
      { home, process: { env } },
    );
    expect(node.output).toMatch(/forked/);
    expect(node.output).toMatch(/thread/);
    expect(node.output).toContain("[7]");
  });
});
