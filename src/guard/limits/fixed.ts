// What no configuration lifts: hostile arguments, L3, and what the caller's role may never do.
import { riskRank } from "../../protocol/risk.ts";
import { secretInArguments } from "../firewall/tags.ts";
import type { Limit } from "./limit.ts";

/**
 * What hides is refused when it is hostile (L3) and asked when it is only suspicious. A secret or its placeholder in a
 * command, a URL or git's arguments would be carried out: asked, and refused when the session is tainted.
 */
export const injection: Limit = {
  name: "injection",
  judge({ tags, risk }, { tainted }) {
    if (tags.includes("hide") && risk === "L3") {
      return { deny: "It hides what it does (invisible or misleading characters).", rule: "injection.hidden" };
    }
    if (tags.includes(secretInArguments)) {
      return tainted
        ? { deny: "It would pass a secret on, and the session has read text from outside.", rule: "injection.secret" }
        : { ask: "Its arguments hold a secret or its placeholder.", rule: "injection.secret" };
    }
    return tags.includes("hide")
      ? { ask: "It holds invisible or misleading characters.", rule: "injection.suspicious" }
      : "pass";
  },
};

export const never: Limit = {
  name: "risk.L3",
  judge({ risk, reasons }) {
    if (risk !== "L3") return "pass";
    const worst = reasons.find((reason) => reason.risk === "L3");
    return {
      deny: worst
        ? `Never allowed: ${worst.text}${worst.text.endsWith(".") ? "" : "."}`
        : "Never allowed at any level.",
    };
  },
};

/** Beyond editing, declared checks and local version control. */
const privileged = [
  "network",
  "install",
  "push",
  "publish",
  "unknown-program",
  "unknown-option",
  "interpreter",
  "dynamic",
  "unparseable",
  "outside",
  "background",
  "sensitive-read",
  "sensitive-write",
  "environment",
  "signal",
];

export const role: Limit = {
  name: "role",
  judge({ risk, tags, effects }, context) {
    if (context.role === "admin" || effects.length === 0) return "pass";
    if (tags.includes("control") && riskRank(risk) >= 2) {
      return { deny: "Only the role admin may touch policy, trust or fettle itself.", rule: `role.${context.role}` };
    }
    if (context.role === "privileged") return "pass";
    if (context.role === "read-only") {
      return risk === "L0" ? "pass" : { deny: "The role read-only may only read.", rule: "role.read-only" };
    }
    const beyond =
      riskRank(risk) > 0 &&
      (tags.some((tag) => privileged.includes(tag)) ||
        effects.some(({ kind }) => kind === "network" || kind === "spawn") ||
        (tags.includes("process") && riskRank(risk) >= 2 && !localWork(tags, effects)));
    return beyond
      ? { deny: "The role standard may edit, run declared checks and use git locally.", rule: "role.standard" }
      : "pass";
  },
};

const localWork = (tags: readonly string[], effects: readonly { kind: string }[]): boolean =>
  tags.includes("declared-check") ||
  effects.some(({ kind }) => kind === "vcs") ||
  ["move", "overwrite", "delete"].some((tag) => tags.includes(tag));
