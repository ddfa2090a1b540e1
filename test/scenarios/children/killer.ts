// Loaded into fettle before its own code: kills the process, as `kill -9` does, right after the KILL_AT-th thing it
// made durable (a commit of a database, a flush of the ledger). KILL_COUNT names a file that gets their number.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync } from "node:sqlite";

const at = Number(process.env["KILL_AT"]);
let count = 0;

function durable(): void {
  count += 1;
  if (count === at) process.kill(process.pid, "SIGKILL");
}

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  exec.call(this, sql);
  if (sql === "commit") durable();
};
const { fdatasyncSync } = fs;
fs.fdatasyncSync = (descriptor: number): void => {
  fdatasyncSync(descriptor);
  durable();
};
syncBuiltinESMExports();

const file = process.env["KILL_COUNT"];
if (file !== undefined) process.on("exit", () => fs.writeFileSync(file, String(count)));
