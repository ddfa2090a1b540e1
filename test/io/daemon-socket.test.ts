// The daemon's socket, when several daemons begin.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ask, listen } from "../../src/io/daemon/socket.ts";

test("of daemons that begin at once one listens, also where a killed one has left its socket", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fettle-daemon-"));
  const file = path.join(folder, "socket");
  writeFileSync(file, "");
  const begin = (pid: number) => listen(file, () => ({ pid }));
  const servers = await Promise.all([begin(1), begin(2), begin(3)]);
  onTestFinished(() => {
    for (const server of servers) server?.close();
    rmSync(folder, { recursive: true });
  });
  expect(servers.filter(Boolean)).toHaveLength(1);
  expect(await ask(file, "status")).toEqual({ pid: servers.findIndex(Boolean) + 1 });
  expect(readdirSync(folder)).toEqual(["socket"]);
});
