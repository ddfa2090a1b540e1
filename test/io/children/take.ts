// Takes checkpoints until it is killed.
import { openSnapshots } from "../../../src/io/snapshot/snapshots.ts";

const [gitDir = "", workspace = ""] = process.argv.slice(2);
process.stdout.write("begun\n");
for (let round = 0; round < 100; round += 1) {
  const options = { gitDir, workspace, maxBytes: 1e9, maxFiles: 1e6, seedFrom: 1, largeFrom: 1 };
  await openSnapshots(options).take();
}
