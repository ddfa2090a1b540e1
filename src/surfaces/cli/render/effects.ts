// What an act would do, in plain words: every kind of effect once, with the first few things that it concerns.
import { escapeLine } from "../../../base/escape.ts";
import type { ApprovalRequest } from "../../../protocol/approval.ts";
import type { Effect } from "../../../protocol/effect.ts";
import { words } from "../words/session.ts";

const most = 3;

const baseName = (target: string): string => target.slice(target.lastIndexOf("/") + 1);

/** The rest is counted here and listed under details. */
function listed(targets: readonly string[]): string {
  const all = [...new Set(targets)];
  const named = all.slice(0, most).map(escapeLine).join(", ");
  return all.length > most ? words.approval.does.more(named, all.length - most) : named;
}

/** Worst first. Empty where nothing is known of it but its name. */
export function wouldText({ effects }: ApprovalRequest): string[] {
  const text = words.approval.does;
  const of = (kind: Effect["kind"]) => effects.filter((effect) => effect.kind === kind).map(({ target }) => target);
  const say = (targets: readonly string[], how: (list: string) => string): string[] =>
    targets.length === 0 ? [] : [how(listed(targets))];
  const acts = [
    ...say(of("delete"), text.delete),
    ...say(of("vcs"), text.vcs),
    ...say(of("network"), text.network),
    ...say(of("write"), text.write),
    ...say(of("execute").map(baseName), text.execute),
    ...say(of("spawn"), text.spawn),
  ];
  const done = acts.length > 0 ? acts : say(of("read"), text.read);
  return done.length === 0 ? [] : [done.join("; ")];
}
