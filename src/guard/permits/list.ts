import type { Permit } from "./permit.ts";
import { autonomy } from "./autonomy.ts";
import { envelope } from "./envelope.ts";
import { definedHook } from "./hooks.ts";
import { likeApproval } from "./like.ts";
import { grantedHosts } from "./hosts.ts";
import { mcpContinued, mcpStart } from "./mcp.ts";
import { taskGit } from "./own-git.ts";
import { weighRules } from "../matching/rules.ts";

const allowRules: Permit = {
  name: "rules",
  covers(assessment, context) {
    const { allowed } = weighRules(assessment, context);
    return (
      allowed && { rule: `rules[${allowed.index}]`, text: `Allowed by a rule (${allowed.rule.source}).`, tell: true }
    );
  },
};

export const sessionApproval: Permit = {
  name: "session.approval",
  covers({ scope }, { sessionScopes }) {
    if (scope === undefined || !sessionScopes.has(scope)) return undefined;
    return { rule: "session.approval", text: "Approved for this session.", tell: true };
  },
};

/** In order: the first that covers names the decision. */
export const permits: readonly Permit[] = [
  ...[definedHook, taskGit, mcpStart, mcpContinued, autonomy, envelope, grantedHosts, allowRules],
  ...[sessionApproval, likeApproval],
];
