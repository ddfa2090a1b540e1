// Commands that share a network: they reach each other, nobody else reaches them, and none of them gets out.
import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { detectSandbox } from "../../../src/io/sandbox/sandbox.ts";
import { Room } from "../../../src/io/sandbox/room.ts";
import type { OpenRoom } from "../../../src/io/sandbox/spec.ts";
import { site } from "../support/egress.ts";
import { makeWorld, sandboxed, sandboxWorks } from "../support/world.ts";

const world = makeWorld();
afterAll(() => world.remove());

const there = (name: string) => existsSync(path.join(world.workspace, name));
/** Serves one word to one caller, and ends. */
const serve = (word: string) =>
  `python3 -c "import socket; s = socket.create_server(('127.0.0.1', 4711)); open('up-${word}', 'w'); c, _ = s.accept(); c.sendall(b'${word}')"`;
const ask = (port: number) => `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
const reach = (room: OpenRoom | undefined) => (room ? { room } : {});

describe.skipIf(!sandboxWorks())("a shared network", () => {
  const opened = async () => {
    const room = new Room(detectSandbox({ enabled: true, cacheFolder: world.cache, home: world.home }));
    return { room, open: await room.enter() };
  };

  test("two rooms serve at the same port, each its own; a command outside reaches neither", async () => {
    const [one, two] = [await opened(), await opened()];
    const servers = [sandboxed(world, serve("one"), reach(one.open)), sandboxed(world, serve("two"), reach(two.open))];
    await expect.poll(() => ["up-one", "up-two"].map(there), { timeout: 5000 }).toEqual([true, true]);
    expect((await sandboxed(world, ask(4711))).code).not.toBe(0);
    expect((await sandboxed(world, ask(4711), reach(two.open))).output).toBe("two");
    expect((await sandboxed(world, ask(4711), reach(one.open))).output).toBe("one");
    expect((await Promise.all(servers)).map(({ code }) => code)).toEqual([0, 0]);
    one.room.close();
    two.room.close();
  });

  test("there is no way out of it: not to this machine, and not through what let the command in", async () => {
    await using elsewhere = await outside();
    const { room, open } = await opened();
    expect((await sandboxed(world, ask(elsewhere.port), reach(open))).code).not.toBe(0);
    const held = await sandboxed(world, "ls -l /proc/self/fd; nsenter --net=/proc/1/ns/net true", reach(open));
    expect(held.output).not.toMatch(/(?:user|net):\[/);
    expect(held.code).not.toBe(0);
    expect(elsewhere.seen).toEqual([]);
    room.close();
    await expect(room.enter()).rejects.toThrow("closed");
  });

  test("commands see no processes of each other", async () => {
    const { room, open } = await opened();
    const sleeping = sandboxed(world, "touch asleep; exec sleep 1.4711", reach(open));
    await expect.poll(() => there("asleep"), { timeout: 5000 }).toBe(true);
    expect((await sandboxed(world, "cat /proc/[0-9]*/cmdline | tr '\\0' ' '", reach(open))).output).not.toContain(
      "1.4711",
    );
    room.close();
    await sleeping;
  });
});

async function outside() {
  const here = await site((_, response) => response.end("outside"));
  return { ...here, [Symbol.asyncDispose]: async () => here.close() };
}
