// Brings a fresh clone to a runnable state: dependencies as locked, then a build. Runs on the system's Node 20; no dependencies.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => path.join(root, ...parts);

function installIfChanged() {
  const stamp = at("node_modules", ".fettle-stamp");
  const wanted = createHash("sha256")
    .update(readFileSync(at("package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.log("installing dependencies (first run or a changed lock file) ...");
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: root, stdio: "inherit" });
  writeFileSync(stamp, wanted);
}

function newest(entry) {
  const found = statSync(entry, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(entry).map((name) => newest(path.join(entry, name))));
}

function buildIfStale() {
  const built = statSync(at("dist", "cli.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ["src", "package.json", "package-lock.json", "scripts/build.mjs"];
  if (sources.every((name) => newest(at(name)) <= built)) return;
  execFileSync("sh", [at("scripts", "run.sh"), at("scripts", "build.mjs")], { cwd: root, stdio: "inherit" });
}

try {
  installIfChanged();
  buildIfStale();
} catch (error) {
  console.error(`fettle: could not prepare ${root}: ${error.message}`);
  process.exit(1);
}
