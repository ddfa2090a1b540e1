// Podman's service for a test: it speaks Docker's interface, keeps all it has in a temporary folder, and ends with the test.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const program = "/usr/bin/podman";

/** Where it is not installed, tests that need it are skipped, and say so. */
export const podmanHere = existsSync(program);

export interface PodmanService extends AsyncDisposable {
  socket: string;
  podman(...args: string[]): string;
}

/** With an image `shop:1` and a container `till` of it, which was never started. */
export async function startPodman(): Promise<PodmanService> {
  const folder = mkdtempSync(path.join(tmpdir(), "fettle-podman-"));
  const at = (name: string) => path.join(folder, name);
  const own = ["--root", at("root"), "--runroot", at("run"), "--storage-driver=vfs"];
  const env = { PATH: process.env["PATH"], HOME: folder };
  const podman = (...args: string[]): string =>
    execFileSync(program, [...own, ...args], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  mkdirSync(at("shop"));
  writeFileSync(at("shop/Dockerfile"), 'FROM scratch\nENV SHOP_KEY=nobody-sees-this\nCOPY till /till\nCMD ["/till"]\n');
  writeFileSync(at("shop/till"), "tea\n");
  podman("build", "--quiet", "--tag", "shop:1", at("shop"));
  podman("create", "--name", "till", "shop:1");
  const socket = at("docker.sock");
  const service = spawn(program, [...own, "system", "service", "--time=0", `unix://${socket}`], {
    env,
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => service.once("exit", resolve));
  for (let tries = 0; tries < 200 && !existsSync(socket); tries += 1) await sleep(50);
  return {
    socket,
    podman,
    async [Symbol.asyncDispose]() {
      service.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
