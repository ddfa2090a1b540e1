// Writes large files again and again, with notes of its drafts, until it is killed.
import { writeSync } from "node:fs";
import path from "node:path";
import { writeAtomic } from "../../../src/io/files/bytes.ts";
import { openDrafts } from "../../../src/io/folders/left-drafts.ts";

const [work = "", notes = ""] = process.argv.slice(2);
openDrafts(notes);
const content = Buffer.alloc(24_000_000, "x");
writeSync(1, "ready\n");
for (let index = 0; ; index += 1)
  await writeAtomic(path.join(work, "deep", `${index % 3}.txt`), content, { root: work });
