// Runs a command on layers and prints how often files were flushed one by one, and what was applied.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

let flushes = 0;
const { fsync, fsyncSync } = fs;
fs.fsync = ((...args: Parameters<typeof fsync>) => ((flushes += 1), fsync(...args))) as typeof fsync;
fs.fsyncSync = (descriptor) => ((flushes += 1), fsyncSync(descriptor));
syncBuiltinESMExports();

const { openLayered } = await import("../layered-world.ts");
const world = openLayered();
world.put("old", "old");
const exit = await world.run("mkdir made; for i in $(seq 300); do echo $i > made/f$i; done; echo new > old");
process.stdout.write(JSON.stringify({ flushes, applied: exit.written?.applied.length, last: world.get("made/f300") }));
world.layers.close();
await world.close();
