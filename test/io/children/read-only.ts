// Tries to use state in a folder that cannot be written; prints the codes of the faults.
import path from "node:path";
import { Fault } from "../../../src/base/fault.ts";
import { openSnapshots } from "../../../src/io/snapshot/snapshots.ts";
import { openStore } from "../../../src/io/store/store.ts";

const [folder = "", workspace = ""] = process.argv.slice(2);
const codes: string[] = [];
const note = (error: unknown) => void codes.push(error instanceof Fault ? error.code : String(error));
for (const name of ["state.db", "new.db"]) {
  try {
    openStore(path.join(folder, name)).createSession({ id: "x", workspace: "/", cwd: "/", at: 1, model: "m" });
    codes.push("none");
  } catch (error) {
    note(error);
  }
}
await openSnapshots({ gitDir: path.join(folder, "s.git"), workspace, maxBytes: 1e6, maxFiles: 100 })
  .take()
  .then(() => codes.push("none"), note);
process.stdout.write(JSON.stringify(codes));
