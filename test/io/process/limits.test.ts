import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findGroups, makeGroup } from "../../../src/io/process/cgroup.ts";
import { limitingWords, type ResourceLimits } from "../../../src/io/process/limits.ts";
import { makeWorld, run, sandboxed, sandboxWorks, type World } from "../support/world.ts";

let world: World;
beforeAll(() => {
  world = makeWorld();
});
afterAll(() => world.remove());

const works = sandboxWorks();

const wide: ResourceLimits = { memoryMb: 4000, processes: 2000, fileMb: 100, freeDiskMb: 0, cgroup: "off" };
const ways: [string, (command: string, limits: ResourceLimits) => ReturnType<typeof run>][] = [
  ["without a sandbox", (command, limits) => run(world, command, { limits })],
];
if (works) ways.push(["in the sandbox", (command, limits) => sandboxed(world, command, { process: { limits } })]);

describe.each(ways)("a command %s", (_name, go) => {
  test("that takes too much memory is ended, its helpers counted", async () => {
    const hold = "b=bytearray(90<<20); print('held', flush=True); import time; time.sleep(15)";
    const command = `for n in 1 2 3; do /usr/bin/python3 -c "${hold}" & done; wait; echo survived`;
    const exit = await go(command, { ...wide, memoryMb: 180 });
    expect(exit).toMatchObject({ ended: "exceeded", exceeded: "memory" });
    expect(exit.output).not.toContain("survived");
    expect((await go(`/usr/bin/python3 -c "b=bytearray(40<<20)"; echo fine`, { ...wide, memoryMb: 180 })).output).toBe(
      "fine\n",
    );
  });

  test("that makes too many processes is ended with all of them", async () => {
    const mark = `7${process.pid}`;
    // Bounded by itself: 300 sleeping processes at most.
    const command = `for n in $(seq 300); do setsid sleep ${mark} & done; sleep 15; echo survived`;
    const exit = await go(command, { ...wide, processes: 150 });
    expect(exit).toMatchObject({ ended: "exceeded", exceeded: "processes" });
    const { output } = await run(world, `ps -eo args | grep -c '[s]leep ${mark}'`);
    expect(output).toBe("0\n");
  });

  test("writes no larger file, and leaves no core behind", async () => {
    const exit = await go("head -c 3000000 /dev/zero > big; echo $?; bash -c 'kill -SEGV $$'; ls", {
      ...wide,
      fileMb: 1,
    });
    expect(exit.output).toContain("File size limit exceeded");
    expect(exit.output).not.toMatch(/^core/m);
    expect(statSync(path.join(world.workspace, "big")).size).toBeLessThanOrEqual(1 << 20);
  });

  test("that fills the disk is ended while some is left", async () => {
    const command = "for n in $(seq 40); do head -c 5000000 /dev/zero > fill$n; sleep 0.1; done; echo survived";
    const exit = await go(command, { ...wide, freeDiskMb: 1e9 });
    expect(exit).toMatchObject({ ended: "exceeded", exceeded: "disk" });
    expect(existsSync(path.join(world.workspace, "fill40"))).toBe(false);
    await run(world, "rm -f fill*");
  });

  test.skipIf(process.platform !== "linux")("is what the kernel ends first when memory runs out", async () => {
    expect((await go("cat /proc/self/oom_score_adj", wide)).output).toBe("500\n");
  });
});

test("no limits, no words; a group's path is quoted", () => {
  expect(limitingWords(undefined, [])).toBe("");
  expect(limitingWords({ ...wide, fileMb: 0 }, ["/a'b"])).toContain(`echo 0 >'/a'\\''b'/cgroup.procs; `);
  expect(limitingWords({ ...wide, fileMb: 0 }, [])).not.toContain("ulimit -f");
});

describe("control groups", () => {
  /** Plain folders in the place of the kernel's: what is made and written, not how the kernel acts on it. */
  function view(version: 1 | 2, options: { root?: boolean; passed?: string } = {}) {
    const top = path.join(world.root, `groups${version}${options.passed ?? ""}`);
    const own = path.join(top, "user/app/term");
    for (const folder of [own, path.join(top, "pids/user"), path.join(top, "memory/user")])
      mkdirSync(folder, { recursive: true });
    for (const folder of [own, path.dirname(own)]) writeFileSync(path.join(folder, "cgroup.procs"), "");
    writeFileSync(path.join(path.dirname(own), "cgroup.subtree_control"), options.passed ?? "cpu memory pids\n");
    const root = options.root ?? false;
    const line = (mount: string, rest: string) => `30 20 0:26 / ${mount} rw,relatime shared:9 - ${rest}\n`;
    return version === 2
      ? { top, view: { own: "0::/user/app/term\n", mounts: line(top, "cgroup2 cgroup2 rw,nsdelegate"), root } }
      : {
          top,
          view: {
            own: "4:memory:/user\n2:cpu,pids:/user\n0::/\n",
            mounts: line(`${top}/memory`, "cgroup cgroup rw,memory") + line(`${top}/pids`, "cgroup cgroup rw,cpu,pids"),
            root,
          },
        };
  }

  test("of version 2 lie beside fettle's own, where the controllers are passed on", () => {
    const { top, view: found } = view(2);
    expect(findGroups("auto", found)).toEqual({ version: 2, memory: `${top}/user/app`, pids: `${top}/user/app` });
    expect(findGroups("auto", view(2, { passed: "cpu" }).view)).toBeUndefined();
    expect(findGroups("off", found)).toBeUndefined();
  });

  test("of version 1 lie below fettle's own, one for each kind", () => {
    const { top, view: found } = view(1);
    expect(findGroups("auto", found)).toEqual({ version: 1, memory: `${top}/memory/user`, pids: `${top}/pids/user` });
  });

  test("are not made by root unasked: root can write what others manage", () => {
    const { view: found } = view(2, { root: true });
    expect(findGroups("auto", found)).toBeUndefined();
    expect(findGroups("own", found)).toMatchObject({ version: 2 });
  });

  test("carry the limits, are joined before the command starts, and are left out where they cannot be made", async () => {
    const home = findGroups("auto", view(1).view);
    if (!home) throw new Error("no groups");
    const group = makeGroup(home, { ...wide, memoryMb: 5, processes: 7 }, "fettle-1-1");
    expect(readFileSync(path.join(home.memory, "fettle-1-1/memory.limit_in_bytes"), "utf8")).toBe("5242880");
    expect(readFileSync(path.join(home.pids, "fettle-1-1/pids.max"), "utf8")).toBe("7");
    const words = limitingWords(wide, group?.folders ?? []);
    await run(world, "", { argv: ["/bin/sh", "-c", `${words} echo joined`] });
    expect(readFileSync(path.join(home.pids, "fettle-1-1/cgroup.procs"), "utf8")).toBe("0\n");
    expect(makeGroup({ ...home, memory: "/proc/nowhere" }, wide, "x")).toBeUndefined();
    expect(existsSync(path.join(home.pids, "x"))).toBe(false);
  });
});
