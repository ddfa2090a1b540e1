// What the caller's role may never do, however much is allowed otherwise.
import type { Role } from "../../protocol/decision.ts";
import { riskRank } from "../../protocol/risk.ts";
import type { Limit } from "./limit.ts";

const order: readonly Role[] = ["read-only", "standard", "privileged", "admin"];

export const lowerRole = (left: Role, right: Role | undefined): Role =>
  right !== undefined && order.indexOf(right) < order.indexOf(left) ? right : left;

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
    const acting = lowerRole(context.role, context.policy.maxRole);
    if (acting === "admin" || (effects.length === 0 && risk === "L0")) return "pass";
    const rule = acting === context.role ? `role.${acting}` : "policy.max_role";
    if (tags.includes("control") && riskRank(risk) >= 2) {
      return { deny: "Only the role admin may touch policy, trust or fettle itself.", rule };
    }
    if (acting === "privileged") return "pass";
    // Its program may do what the role may, and no more.
    if (tags.includes("cli-agent")) {
      const changes = acting === "read-only" && effects.some(({ kind }) => kind === "write");
      return changes ? { deny: "The role read-only may only read.", rule } : "pass";
    }
    if (acting === "read-only" && !tags.includes("mcp")) {
      return risk === "L0" ? "pass" : { deny: "The role read-only may only read.", rule };
    }
    if (tags.includes("mcp")) return { deny: "MCP servers need the role privileged.", rule };
    const beyond =
      riskRank(risk) > 0 &&
      (tags.some((tag) => privileged.includes(tag)) ||
        effects.some(({ kind }) => kind === "network" || kind === "spawn") ||
        (tags.includes("process") && riskRank(risk) >= 2 && !localWork(tags, effects)));
    return beyond ? { deny: "The role standard may edit, run declared checks and use git locally.", rule } : "pass";
  },
};

const localWork = (tags: readonly string[], effects: readonly { kind: string }[]): boolean =>
  tags.includes("declared-check") ||
  tags.includes("declared-build") ||
  effects.some(({ kind }) => kind === "vcs") ||
  ["move", "overwrite", "delete"].some((tag) => tags.includes(tag));
