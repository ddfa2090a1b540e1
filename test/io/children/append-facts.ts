// Appends numbered facts for ever (or COUNT times) and says after each how far it is.
import { writeSync } from "node:fs";
import { openStore } from "../../../src/io/store/store.ts";

const [file = "", session = "", count = "1000000"] = process.argv.slice(2);
const store = openStore(file);
for (let index = 1; index <= Number(count); index += 1) {
  const { seq } = store.append(session, {
    type: "note.added",
    turn: 1,
    text: `${process.pid} ${index} ${"x".repeat(500)}`,
  });
  writeSync(1, `${seq}\n`);
}
store.close();
