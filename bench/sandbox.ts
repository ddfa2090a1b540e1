import { mkdirSync } from "node:fs";
import type { Server } from "node:net";
import path from "node:path";
import { Egress } from "../src/io/net/egress.ts";
import { resourceLimits } from "../src/app/program/limits.ts";
import { defaultSettings } from "../src/io/config/settings.ts";
import { grantedEnvironment } from "../src/io/process/environment.ts";
import { runProcess } from "../src/io/process/run.ts";
import type { ResourceLimits } from "../src/io/process/limits.ts";
import { openLayers } from "../src/io/layers/layers.ts";
import { watchControlFiles } from "../src/io/sandbox/control-files.ts";
import { detectSandbox } from "../src/io/sandbox/sandbox.ts";
import { measure, table } from "./measure.ts";

export async function sandboxBench(folder: string): Promise<string> {
  const temporary = path.join(folder, "tmp");
  const workspace = path.join(folder, "work");
  for (const each of [temporary, workspace]) mkdirSync(each);
  const env = grantedEnvironment(process.env, { temporary, home: folder });
  const sandbox = detectSandbox({ enabled: true, cacheFolder: folder });
  const base = { cwd: workspace, env, timeoutMs: 10_000, head: 2048, tail: 2048, spillLimit: 1_000_000 };
  const argv = ["/bin/sh", "-c", ":"];
  const signal = new AbortController().signal;
  const spec = {
    workspace,
    cwd: workspace,
    writable: [temporary],
    masked: [],
    gitWritable: false,
    own: [],
  };
  const walled = async (egress: Egress | undefined, more: { limits?: ResourceLimits; repeats?: true } = {}) => {
    const { argv: wrapped, cleanup, ...rest } = sandbox.wrap(argv, { ...spec, network: egress?.ports ?? false });
    const doors = egress && { onDoor: (port: number, door: Server) => egress.attach(port, door) };
    try {
      return await runProcess({ ...base, ...rest, ...doors, ...more, argv: wrapped }, signal);
    } finally {
      cleanup();
    }
  };
  const found = openLayers(path.join(folder, "layers"), workspace);
  const layered = async (command: string, more: { repeats?: true } = {}) => {
    if (!("layers" in found)) return;
    const source = found.layers.source([]);
    const words = ["/bin/sh", "-c", command];
    const wrapped = sandbox.wrap(words, { ...spec, network: false, layered: source.merged });
    const layer = { source, at: wrapped.layerAt ?? 0 };
    const exit = await runProcess({ ...base, ...wrapped, ...more, layer }, signal);
    if (exit.layer) found.layers.written(exit.layer.upper);
    exit.layer?.close();
  };
  const guarded = async () => {
    const watch = watchControlFiles(workspace, { sealed: true });
    await walled(undefined, { limits: resourceLimits(defaultSettings()) });
    watch.restore();
  };
  const networked = async () => {
    const egress = new Egress({ hosts: ["registry.example.com"], anyPublic: false });
    try {
      return await walled(egress);
    } finally {
      egress.close();
    }
  };
  const samples = [
    await measure("sh -c : without a sandbox", () => runProcess({ ...base, argv }, signal), { rounds: 60 }),
    await measure(`sh -c : in ${sandbox.name}`, () => walled(undefined), { rounds: 60 }),
    await measure(`sh -c : in ${sandbox.name}, made beforehand`, () => walled(undefined, { repeats: true }), {
      ...{ rounds: 60, restMs: 50 },
    }),
    await measure(`sh -c : in ${sandbox.name}, on layers`, () => layered(":"), { rounds: 60 }),
    await measure(`sh -c : in ${sandbox.name}, on layers, made beforehand`, () => layered(":", { repeats: true }), {
      ...{ rounds: 60, restMs: 50 },
    }),
    await measure(`one file written in ${sandbox.name}, on layers`, () => layered("echo x > x"), { rounds: 60 }),
    await measure("sh -c : with limits, git control files watched", guarded, { rounds: 60 }),
    await measure(`sh -c : in ${sandbox.name}, with a granted host`, networked, { rounds: 20 }),
  ];
  return table("processes", samples);
}
