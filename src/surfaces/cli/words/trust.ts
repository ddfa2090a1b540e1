import { plural } from "../text/amounts.ts";

export const trust = {
  none: "This repository brings nothing that needs trust.",
  state: {
    new: "This repository brings settings that do more than tighten. They are not applied.",
    changed: "What this repository brings has changed since it was trusted. None of it is applied.",
    trusted: "What this repository brings is trusted, and applied.",
  },
  before: (by: string, at: string) => `Trusted before by ${by}, ${at}.`,
  hint: "Accept exactly this with fettle trust accept; any later change asks again.",
  already: "What this repository brings is trusted already.",
  question: (count: number) => `Trust ${plural(count, "item")} of this repository?`,
  needsYes: "Trusting a repository needs a yes.",
  needsYesRemedy: "Give --yes where nobody can answer.",
  accepted: (count: number) => `${plural(count, "item")} trusted. A later change of any of them asks again.`,
  revoked: "What this repository brings is no longer trusted.",
};
