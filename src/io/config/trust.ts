// What a repository brings that only a person can allow, known again by the hash of the whole set.
import { createHash } from "node:crypto";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { canonical } from "../../base/canonical.ts";
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import type { TrustItem } from "../../protocol/trust.ts";
import { readRegular } from "../files/regular.ts";
import { makePrivateFolder } from "../places/places.ts";

/** One thing that does more than tighten: a setting, an allow rule, a hook, a skill. Where it stands is no part of what is trusted. */
export type { TrustItem } from "../../protocol/trust.ts";

interface TrustRecord {
  /** Of all that was shown. */
  digest: string;
  /** What of it was accepted. */
  items: TrustItem[];
  /** What of it was not. */
  declined?: TrustItem[];
  /** ms since 1970. */
  at: number;
  by: string;
}

/** none: nothing needs trust. trusted: exactly this set was accepted. changed: another one was. new: none ever was. */
type TrustState = "none" | "trusted" | "changed" | "new";

export interface RepositoryTrust {
  state: TrustState;
  digest: string;
  items: TrustItem[];
  before?: TrustRecord;
  /** What is in force: nothing of a set that differs in anything from the one that was shown. */
  accepted: TrustItem[];
}

/** One item, known again whatever else there is. */
export const trustKey = ({ what, value }: Pick<TrustItem, "what" | "value">): string => canonical({ what, value });

function trustDigest(items: readonly TrustItem[]): string {
  const lines = items.map(trustKey).toSorted();
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/** Compares what the repository brings now with what was accepted for this workspace. */
export function repositoryTrust(stateFolder: string, workspace: string, items: TrustItem[]): RepositoryTrust {
  const digest = trustDigest(items);
  const before = readRecords(stateFolder)[workspace];
  const known = before === undefined ? {} : { before };
  if (items.length === 0) return { state: "none", digest, items, ...known, accepted: [] };
  const state = before === undefined ? "new" : before.digest === digest ? "trusted" : "changed";
  const kept = new Set(state === "trusted" ? before?.items.map(trustKey) : []);
  return { state, digest, items, ...known, accepted: items.filter((item) => kept.has(trustKey(item))) };
}

/** Undefined takes the trust back. */
export function writeTrust(stateFolder: string, workspace: string, record: TrustRecord | undefined): void {
  const { [workspace]: _, ...others } = readRecords(stateFolder);
  makePrivateFolder(stateFolder);
  const file = trustFile(stateFolder);
  const draft = `${file}.${process.pid}`;
  const text = JSON.stringify(record === undefined ? others : { ...others, [workspace]: record }, null, 2);
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

const trustFile = (stateFolder: string): string => path.join(stateFolder, "trust.json");

function readRecords(stateFolder: string): Record<string, TrustRecord> {
  const file = trustFile(stateFolder);
  if (!existsSync(file)) return {};
  try {
    const records: unknown = JSON.parse(readRegular(file));
    if (typeof records !== "object" || records === null || Object.values(records).includes(null))
      throw new SyntaxError("it holds no records");
    return records as Record<string, TrustRecord>;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Fault(
      "trust.broken",
      Exit.usage,
      `${file} cannot be read: ${error.message.replace(/\.$/, "")}.`,
      `Move it aside; repositories are then asked about again: mv '${file}' '${file}.broken'`,
    );
  }
}
