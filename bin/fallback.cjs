// Reached only without the pinned runtime: a recent system Node will do, an old one gets the remedy instead of a crash.
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const root = path.join(__dirname, "..");
const { fettleRuntime } = require("../package.json");
const needed = fettleRuntime.replace(/[^\d.]/g, "").split(".").map(Number);
const actual = process.versions.node.split(".").map(Number);
const older = actual[0] - needed[0] || actual[1] - needed[1] || actual[2] - needed[2];

if (older < 0) {
  const remedy = fs.existsSync(path.join(root, "package-lock.json"))
    ? `run 'npm ci' in ${root} to install the pinned one`
    : "install it again with its optional packages, which bring the pinned one";
  process.stderr.write(
    `fettle: needs Node ${needed.join(".")} or later, found ${process.versions.node}; ${remedy}\n`,
  );
  process.exit(69);
}
import(pathToFileURL(path.join(root, "dist", "cli.js")).href);
