import { safeLine } from "../../text/safe-text.ts";
import { renderChecks } from "../doctor.ts";
import type { Step } from "./step.ts";
import { words } from "./words.ts";

/** As `fettle doctor` finds them. */
export const sandboxChecks: readonly string[] = ["sandbox", "layers", "git"];

export const sandboxStep: Step = async ({ context, asker, print }) => {
  const checks = await asker.unlessLeft(context.with({ headless: true }, (client) => client.read("doctor.check", {})));
  const shown = checks.filter(({ name }) => sandboxChecks.includes(name));
  context.lines(renderChecks(shown, context.look()));
  if (shown.every(({ status }) => status === "ok")) print(words.sandboxFine);
  // Models have a step of their own.
  const others = checks.filter(({ name, status }) => status === "error" && !sandboxChecks.includes(name));
  for (const { name, detail } of others) if (name !== "models") print(`${name}: ${safeLine(detail)}`);
};
