// Run by an ordinary user: opens layers below its own folder, runs one command on them in the sandbox, says what came of it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { openLayers } from "../../../src/io/layers/layers.ts";
import { runProcess } from "../../../src/io/process/run.ts";
import { detectSandbox } from "../../../src/io/sandbox/sandbox.ts";

const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "layers-")));
const workspace = path.join(root, "w");
for (const name of ["w/dist", "tmp", "cache"]) mkdirSync(path.join(root, name), { recursive: true });
for (const name of ["old.txt", "dist/one", "dist/two", ".env"])
  writeFileSync(path.join(workspace, name), `old ${name}`);
const found = openLayers(path.join(root, "layers"), workspace);
if (!("layers" in found)) throw new Error(found.why);
const sandbox = detectSandbox({ enabled: true, cacheFolder: path.join(root, "cache"), home: root });
const source = found.layers.source([{ path: path.join(workspace, ".env") }]);
const command = process.argv[2] ?? "";
const wrapped = sandbox.wrap(["/bin/bash", "-c", command], {
  ...{ workspace, cwd: workspace, writable: [path.join(root, "tmp")], masked: [path.join(workspace, ".env")] },
  ...{ network: false as const, gitWritable: false, own: [], layered: source.merged },
});
const limits = { timeoutMs: 20_000, head: 4000, tail: 4000, spillLimit: 1000 };
const env = { PATH: "/usr/bin:/bin", HOME: root };
const exit = await runProcess(
  { ...wrapped, ...limits, cwd: workspace, env, layer: { source, at: wrapped.layerAt ?? 0 } },
  new AbortController().signal,
);
const written = exit.layer && found.layers.written(exit.layer.upper);
exit.layer?.close();
found.layers.close();
process.stdout.write(
  JSON.stringify({
    output: exit.output,
    code: exit.code,
    changes: written?.changes.map(({ kind, path: at }) => `${kind} ${at}`).sort(),
    old: readFileSync(path.join(workspace, "old.txt"), "utf8"),
  }),
);
