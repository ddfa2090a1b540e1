// Reached only without the pinned runtime: a recent system Node will do, an old one gets the remedy instead of a crash.
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const root = path.join(__dirname, "..");
const { fettleRuntime } = require("../package.json");
const needed = fettleRuntime.replace(/[^\d.]/g, "").split(".").map(Number);
const actual = process.versions.node.split(".").map(Number);
const older = actual[0] - needed[0] || actual[1] - needed[1] || actual[2] - needed[2];

if (older < 0) {
  process.stderr.write(
    `fettle: needs Node ${needed.join(".")} or later, found ${process.versions.node}; run 'npm ci' in ${root} to install the pinned one\n`,
  );
  process.exit(69);
}
import(pathToFileURL(path.join(root, "dist", "cli.js")).href);
