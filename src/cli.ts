// The entry: answers --version without loading the program; everything else starts from cached machine code.
import { enableCompileCache } from "node:module";
import path from "node:path";

const version = process.env["FETTLE_VERSION"] ?? "0.0.0";
const [first, second] = process.argv.slice(2);

if (second === undefined && (first === "--version" || first === "-V")) {
  process.stdout.write(`fettle ${version}\n`);
} else {
  const cache = process.env["XDG_CACHE_HOME"] || path.join(process.env["HOME"] || "/", ".cache");
  enableCompileCache(path.join(cache, "fettle", "code"));
  const { main } = await import("./main.ts");
  await main(version);
}
