import { assess } from "../src/guard/assess/assess.ts";
import { decide } from "../src/guard/decide.ts";
import { fixedContext, fixedFacts } from "../src/guard/explain.ts";
import { createFirewall } from "../src/guard/firewall/firewall.ts";
import { measure, table } from "./measure.ts";

const commands = [
  "git status",
  "rg foo src/ | sort | uniq -c | head -20",
  "find . -name '*.ts' -not -path './node_modules/*' | xargs wc -l",
  "for f in a b c; do sed -i s/x/y/ $f && git add $f; done; npm test 2>&1 | tail -40",
];

/** What judging costs, without and with the parts that a session repeats for every call. */
export async function gateBench(folder: string): Promise<string> {
  const facts = fixedFacts(folder);
  const firewall = createFirewall(new Uint8Array(32));
  const megabyte = "const total = items.reduce((sum, item) => sum + item.price, 0);\n".repeat(16_384);
  let serial = 0;
  const samples = [];
  for (const command of commands) {
    const fresh = () => ({ kind: "shell" as const, command: `${command} # ${(serial += 1)}`, background: false });
    samples.push(
      await measure(`assess and decide: ${command.slice(0, 24)}`, () => decide(assess(fresh(), facts), fixedContext)),
    );
  }
  samples.push(await measure("redact 1 MB without secrets", () => firewall.redact(megabyte), { rounds: 20 }));
  return table("gate", samples);
}
