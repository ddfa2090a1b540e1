#!/usr/bin/env node
// Verifies a ledger by its files alone, as docs/ledger-format.md says. Needs Node 20 and nothing of fettle.
//   node verify-ledger.mjs FOLDER [--key ed25519:… | --key FILE] [--json]
// Exit codes: 0 it holds, 7 it does not, 2 wrong usage.
import { createHash, createPublicKey, verify } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import path from "node:path";

const genesis = "0".repeat(64);
const spkiHead = Buffer.from("302a300506032b6570032100", "hex");
const keyForm = /^ed25519:[A-Za-z0-9+/]{43}=$/;
const sha256 = (data) => createHash("sha256").update(data);

/** RFC 8785. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  if (typeof value === "string" && !value.isWellFormed()) throw new TypeError("lone surrogate");
  return JSON.stringify(value);
}

const rawKey = (key) => Buffer.from(key.slice("ed25519:".length), "base64");
const fingerprint = (key) => `SHA256:${sha256(rawKey(key)).digest("base64").replace(/=+$/, "")}`;

function signatureHolds({ sig, hash, ...open }) {
  if (typeof sig !== "string" || typeof hash !== "string" || !keyForm.test(open.key ?? "")) return false;
  const key = createPublicKey({ key: Buffer.concat([spkiHead, rawKey(open.key)]), format: "der", type: "spki" });
  return verify(null, Buffer.from(`fettle-ledger-1\n${canonical(open)}`), key, Buffer.from(sig, "base64"));
}

/** Lines in constant memory, up to byte `limit`. */
function* lines(file, limit = Number.POSITIVE_INFINITY) {
  const descriptor = openSync(file, "r");
  try {
    let rest = Buffer.alloc(0);
    let position = 0;
    while (rest.length <= 16 * 1024 * 1024) {
      const chunk = Buffer.alloc(Math.min(256 * 1024, limit - position));
      const count = chunk.length > 0 ? readSync(descriptor, chunk, 0, chunk.length, position) : 0;
      if (count === 0) break;
      position += count;
      rest = Buffer.concat([rest, chunk.subarray(0, count)]);
      let start = 0;
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
        yield { bytes: rest.subarray(start, end), ended: true };
        start = end + 1;
      }
      rest = rest.subarray(start);
    }
    if (rest.length > 0) yield { bytes: rest, ended: false };
  } finally {
    closeSync(descriptor);
  }
}

function parse(bytes) {
  try {
    const value = JSON.parse(bytes.toString("utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    return Buffer.from(canonical(value)).equals(bytes) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Signed checkpoints that stand beside the segments; a string where a line is none. */
function* copies(file) {
  if (!existsSync(file)) return;
  let number = 0;
  for (const line of lines(file, statSync(file).size)) {
    number += 1;
    if (!line.ended) return;
    const entry = parse(line.bytes);
    const good = entry && typeof entry.seq === "number" && signatureHolds(entry);
    yield good ? entry : `line ${number} of checkpoints.jsonl is not a signed checkpoint`;
  }
}

/** The part of a pass over the entries that one entry decides; a string is the problem. */
function problemOf(entry, state, wantedKey) {
  const expected = state.seq + 1;
  if (!entry) return `entry ${expected} is not a line of canonical JSON`;
  if (entry.seq !== expected) return `entry ${expected} is missing: entry ${entry.seq} stands in its place`;
  if (entry.prev !== state.hash) return `entry ${expected} does not continue the entry before it`;
  const { hash, ...open } = entry;
  if (hash !== sha256(state.hash + canonical(open)).digest("hex"))
    return `entry ${expected} was changed: its hash does not fit`;
  if ((expected === 1) !== (entry.kind === "ledger.created")) return `entry ${expected} has the wrong kind`;
  if (entry.kind !== "checkpoint") return undefined;
  state.key = entry.key;
  state.signature = "bad";
  if (!signatureHolds(entry)) return `the signature of checkpoint ${expected} does not fit`;
  if (wantedKey && entry.key !== wantedKey) return `checkpoint ${expected} was signed by another key`;
  state.signature = "verified";
  state.sealed = expected;
  return undefined;
}

function segmentsOf(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d{6,}\.jsonl$/.test(name)) : [];
  return names.sort((left, right) => Number.parseInt(left, 10) - Number.parseInt(right, 10));
}

function walk(folder, wantedKey, state) {
  const waiting = copies(path.join(folder, "checkpoints.jsonl"));
  let copy = waiting.next().value;
  const bad = (text) => ({ problem: text, badEntry: state.seq + 1 });
  for (const [index, name] of segmentsOf(folder).entries()) {
    if (Number.parseInt(name, 10) !== index + 1) return bad(`segment ${index + 1} is missing`);
    state.segments += 1;
    for (const line of lines(path.join(folder, name))) {
      if (!line.ended) return missingEnd(copy, waiting, state) ?? bad(`entry ${state.seq + 1} is unfinished`);
      const entry = parse(line.bytes);
      const problem = problemOf(entry, state, wantedKey);
      if (problem) return bad(problem);
      if (typeof copy === "string") return { problem: copy };
      if (copy && copy.seq <= entry.seq) {
        if (copy.seq !== entry.seq || copy.hash !== entry.hash) return strange(copy);
        copy = waiting.next().value;
      }
      state.seq = entry.seq;
      state.hash = entry.hash;
    }
  }
  return missingEnd(copy, waiting, state) ?? {};
}

const strange = (copy) => ({ problem: `checkpoints.jsonl has a checkpoint ${copy.seq} that is not the ledger's` });

function missingEnd(first, waiting, state) {
  let last = 0;
  for (let copy = first; copy !== undefined; copy = waiting.next().value) {
    if (typeof copy === "string") return { problem: copy };
    if (copy.seq <= state.seq) return strange(copy);
    last = Math.max(last, copy.seq);
  }
  if (last <= state.seq) return undefined;
  const text = `entries ${state.seq + 1} to ${last} are missing at the end, as a signed checkpoint shows`;
  return { problem: text, badEntry: state.seq + 1 };
}

function verifyFolder(folder, wantedKey) {
  const state = { seq: 0, hash: genesis, segments: 0, sealed: 0, key: undefined, signature: undefined };
  const { problem, badEntry } = walk(folder, wantedKey, state);
  return {
    ok: problem === undefined,
    entries: state.seq,
    segments: state.segments,
    sealed: state.sealed,
    head: state.seq === 0 ? "" : state.hash,
    signature: state.signature ?? (state.seq > 0 ? "unsigned" : "none"),
    signer: wantedKey ? "given key" : "unknown",
    ...(problem && { problem }),
    ...(badEntry !== undefined && { badEntry }),
    ...(keyForm.test(state.key ?? "") && { fingerprint: fingerprint(state.key) }),
  };
}

function say(report) {
  if (!report.ok) return `BROKEN: ${report.problem}.\n${report.entries} entries before it hold.`;
  const lines = [
    `${report.entries} entries in ${report.segments} segments hold; newest hash ${report.head || "none"}.`,
  ];
  if (report.signature !== "verified") lines.push("No checkpoint is signed: self-consistent only.");
  else if (report.signer === "unknown")
    lines.push(`Self-consistent, signer unknown (signed by ${report.fingerprint}).`);
  else lines.push(`Signed by the given key (${report.fingerprint}) up to entry ${report.sealed}.`);
  if (report.signature === "verified" && report.entries > report.sealed) {
    lines.push(`Entries ${report.sealed + 1} to ${report.entries} are chained but not signed yet.`);
  }
  return lines.join("\n");
}

function usage(message) {
  console.error(`${message}\nusage: verify-ledger.mjs FOLDER [--key ed25519:… | --key FILE] [--json]`);
  process.exit(2);
}

/** The key as text, or a file that holds it, alone or as `publicKey` in JSON. */
function keyFrom(value) {
  if (value === undefined) usage("--key needs a value.");
  if (keyForm.test(value)) return value;
  const found = existsSync(value) ? /ed25519:[A-Za-z0-9+/]{43}=/.exec(readFileSync(value, "utf8")) : null;
  return found ? found[0] : usage(`${value} is no Ed25519 key and no file with one.`);
}

const words = process.argv.slice(2);
const json = words.includes("--json");
const at = words.indexOf("--key");
const key = at >= 0 ? keyFrom(words.splice(at, 2)[1]) : undefined;
const folders = words.filter((word) => word !== "--json");
if (folders.length !== 1 || folders[0].startsWith("-")) usage("Name one ledger folder.");
if (!existsSync(folders[0])) usage(`There is no folder ${folders[0]}.`);
const report = verifyFolder(folders[0], key);
console.log(json ? JSON.stringify(report) : say(report));
process.exit(report.ok ? 0 : 7);
