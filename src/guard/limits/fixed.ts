// What no configuration lifts: hostile arguments, and L3.
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
