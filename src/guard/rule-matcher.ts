// Does a rule cover a command? For the examples that rules carry.
import type { RuleMatcher } from "../io/config/rule-examples.ts";
import { assess } from "./assess/assess.ts";
import { ruleApplies } from "./matching/rules.ts";
import type { Facts } from "./contract/ports.ts";

export const ruleMatcher =
  (facts: Facts): RuleMatcher =>
  (rule, command) =>
    ruleApplies(rule, assess({ kind: "shell", command, background: false }, facts), facts.workspace);
