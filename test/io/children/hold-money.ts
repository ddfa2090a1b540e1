// Holds money and draws from a pool, COUNT times or for ever, tells how often, and ends without giving anything back.
import { writeSync } from "node:fs";
import { openPurse } from "../../../src/io/store/purse.ts";

const [file = "", limit = "0", micro = "1", count = "1000000"] = process.argv.slice(2);
const { spend, pools } = openPurse(file);
const limits = { month: Number(limit), day: undefined };
let got = 0;
for (let tries = 0; tries < Number(count); tries += 1) {
  const now = Date.now();
  if (spend.hold(Number(micro), limits, now)) continue;
  got += 1;
  pools.draw(["shared"], { requests: 1, tokens: 10, micro: 0 }, () => undefined, now);
  writeSync(1, `${got}\n`);
}
writeSync(1, "over\n");
setInterval(() => undefined, 1000);
