// The frozen plan. Only this file makes one: hashed over every field, and whatever is allowed later hangs on it by hash.
import { type Sealed, sealer } from "../../../base/seal.ts";
import { digestOf } from "../../../base/digest.ts";
import { syntaxDigest } from "../../../guard/command-line/syntax/syntax-digest.ts";
import { isLockfile } from "../stacks/list.ts";
import { withoutFile } from "../stacks/suite.ts";
import { plainly } from "./floor.ts";
import type { Amendment, Envelope, EnvelopeTerms, Signature, TaskRecord } from "../../../protocol/task.ts";

export type Frozen = Sealed<"Frozen", Envelope>;
const frozen = sealer<"Frozen", Envelope>();

type EnvelopeFields = Omit<Envelope, "digest" | "commands"> & { commands: readonly string[] };

export function sealFields({ commands, ...fields }: EnvelopeFields): Envelope {
  const unique = [...new Set(commands)];
  const open = { ...fields, commands: unique.map((text) => ({ text, digest: syntaxDigest(text) })) };
  return { ...open, digest: digestOf(open) };
}

/** Why the task's plan may not be worked on; else the plan as a thing that only an approval of exactly this can make. */
export function freeze({ envelope, planApproval, amendments = [] }: TaskRecord): { frozen: Frozen } | { why: string } {
  if (!envelope) return { why: "There is no plan." };
  const { digest, ...open } = envelope;
  if (digestOf(open) !== digest) return { why: "The plan is not what its hash says." };
  if (!planApproval || !coversEnvelope(planApproval, digest)) return { why: "Nobody has approved this plan." };
  let last = digest;
  for (const { digest: own, ...amendment } of amendments) {
    if (amendment.after !== last || digestOf(amendment) !== own)
      return { why: "An amendment does not follow from the plan." };
    last = own;
  }
  return { frozen: frozen.make(envelope) };
}

/** The digest of a wave's approval: whoever signs it signs each of the envelopes. */
export const waveDigest = (envelopes: readonly string[], rest: string): string =>
  digestOf({ envelopes: [...envelopes], rest });

/** It is of exactly this plan, or of a wave that holds it. */
function coversEnvelope({ digest, wave }: Signature, envelope: string): boolean {
  if (!wave) return digest === envelope;
  return wave.envelopes.includes(envelope) && waveDigest(wave.envelopes, wave.rest) === digest;
}

export function opened(token: Frozen): Envelope {
  const envelope = frozen.open(token);
  if (!envelope) throw new Error("a plan that was not frozen here");
  return envelope;
}

/** What the gate holds acts against: the plan, and what was allowed since. */
export function termsOf({
  envelope,
  amendments = [],
  locks = [],
  testSupport = [],
  rehearsal,
  state,
  moreTest,
}: Partial<TaskRecord>): EnvelopeTerms | undefined {
  if (!envelope) return undefined;
  // Open while nobody is at work who may write: it is written for the auditor, and locked before the coder is sent.
  const more = envelope.moreTest ?? "";
  const adds = more !== "" && !locks.some(({ path }) => path === more) && (state === "VERIFYING" || moreTest);
  const { install } = envelope.plan.commands;
  return {
    digest: envelope.digest,
    strict: envelope.strict,
    commands: envelope.commands.map(({ digest }) => digest),
    checks: checksOf(envelope, rehearsal),
    amended: amendments.flatMap(({ commands }) => commands),
    // A lockfile is changed by the install that the plan names, never by hand.
    paths: [
      ...envelope.paths.filter((path) => !isLockfile(path)),
      ...amendments.flatMap(({ paths }) => paths),
      ...(adds ? [more] : []),
    ],
    hosts: [...envelope.hosts, ...amendments.flatMap(({ hosts }) => hosts)],
    ...(locks.length > 0 && { locked: [...locks.map(({ path }) => path), ...testSupport] }),
    ...(install !== undefined && { install: syntaxDigest(install) }),
  };
}

/** What the plan names to look at the work with, and the repository's own checks in the forms in which they work. */
function checksOf(
  { commands, plan }: Envelope,
  rehearsal: TaskRecord["rehearsal"],
): NonNullable<EnvelopeTerms["checks"]> {
  const planned = new Set(commands.map(({ digest }) => digest));
  const { compile, lint, test } = plan.commands;
  const named = [compile, lint, test, ...plan.acceptance.map(({ command }) => command), ...plan.verification];
  const own = (rehearsal?.checks ?? [])
    .map(({ command, run, one, coverage }) => ({
      digest: syntaxDigest(run),
      forms: [command, run, one, coverage].flatMap((text) => (text ? plainly(withoutFile(text)) : [])),
    }))
    .filter(({ digest }) => planned.has(digest));
  return [...named.flatMap((text) => (text ? [{ digest: syntaxDigest(text), forms: [text] }] : [])), ...own];
}

/** Files that may differ from the base. */
export const allowedPaths = ({ envelope, amendments = [] }: Pick<TaskRecord, "envelope" | "amendments">): string[] => [
  ...(envelope?.paths ?? []),
  ...(envelope?.moreTest === undefined ? [] : [envelope.moreTest]),
  ...amendments.flatMap(({ paths }) => paths),
];

export function amendment(
  { envelope, amendments = [] }: Pick<TaskRecord, "envelope" | "amendments">,
  allowed: Omit<Amendment, "after" | "digest">,
): Amendment {
  const after = amendments.at(-1)?.digest ?? envelope?.digest ?? "";
  const open = { after, ...allowed };
  return { ...open, digest: digestOf(open) };
}
