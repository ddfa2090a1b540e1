// The key pair that signs checkpoints: one per user, made when it is first needed.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { linkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode, withFallback } from "../../base/fallback.ts";
import { sha256 } from "../../base/digest.ts";
import { readRegular } from "../files/regular.ts";
import { readKeychain, writeKeychain } from "../places/keychain.ts";
import { makePrivateFolder } from "../places/places.ts";
import { brokenKey } from "./fault.ts";

/** `publicKey` is `ed25519:` and base64 of 32 bytes; signatures are base64. */
export interface KeyPair {
  readonly publicKey: string;
  readonly fingerprint: string;
  sign(text: string): string;
}

/** What stands in the key file: the private key, or only that the keychain has it; `moving` while it goes there. */
interface KeyFile {
  publicKey: string;
  privateKey?: string;
  moving?: true;
}

export interface Keychain {
  /** Undefined when it does not have it or does not exist. */
  read(name: string): string | undefined;
  /** False when there is none, or it did not keep the value. */
  write(name: string, value: string): boolean;
}

const ownKeychain: Keychain = { read: readKeychain, write: writeKeychain };

const secretName = "ledger-key";
const prefix = "ed25519:";
/** What precedes the 32 bytes of an Ed25519 public key in its SPKI form. */
const spkiHead = Buffer.from("302a300506032b6570032100", "hex");

/**
 * The key pair of that name, the user's own without one: private part in the keychain, else in FOLDER/NAME (0600). Made if
 * there is none; of several processes that make one at the same time, the first wins.
 */
export function loadKeyPair(folder: string, name = secretName, keychain = ownKeychain): KeyPair {
  const file = path.join(folder, name);
  const known = readKeyFile(file);
  if (!known) return made(folder, name, keychain);
  const text = known.privateKey ?? keychain.read(name);
  if (!text) throw brokenKey(file, "its private half should be in the keychain, which does not answer");
  const key = privateKeyOf(file, text);
  if (publicText(createPublicKey(key)) !== known.publicKey) throw brokenKey(file, "its two halves differ");
  if (known.moving && known.privateKey !== undefined)
    moveToKeychain(file, name, { ...known, privateKey: text }, keychain);
  return pairOf(known.publicKey, key);
}

/** Answers the user's own pair as it is at each time, and reads it anew only when its file is another one. */
export function keyPairReader(folder: string): () => KeyPair {
  let pair: KeyPair | undefined;
  let seen: string | undefined;
  return () => {
    const state = fileState(path.join(folder, secretName));
    if (pair && state === seen) return pair;
    const known = pair && (knownPublicKey(folder) ?? pair.publicKey);
    pair = pair && known === pair.publicKey ? pair : loadKeyPair(folder);
    seen = state;
    return pair;
  };
}

/** Every change of the key puts another file in its place. */
function fileState(file: string): string | undefined {
  const facts = statSync(file, { throwIfNoEntry: false, bigint: true });
  return facts && `${facts.ino} ${facts.size} ${facts.mtimeNs} ${facts.ctimeNs}`;
}

/** The public part only, without making a key: undefined when there is none yet. */
export function knownPublicKey(folder: string, name = secretName): string | undefined {
  return readKeyFile(path.join(folder, name))?.publicKey;
}

/** `SHA256:` and unpadded base64, of the raw key; undefined when the text is no such key. */
export function fingerprintOf(publicKey: string): string | undefined {
  const raw = rawKey(publicKey);
  return raw && `SHA256:${Buffer.from(sha256(raw), "hex").toString("base64").replace(/=+$/, "")}`;
}

export function signatureFits(publicKey: string, text: string, signature: string): boolean {
  const raw = rawKey(publicKey);
  if (!raw) return false;
  const key = createPublicKey({ key: Buffer.concat([spkiHead, raw]), format: "der", type: "spki" });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
}

function rawKey(publicKey: string): Buffer | undefined {
  if (!/^ed25519:[A-Za-z0-9+/]{43}=$/.test(publicKey)) return undefined;
  return Buffer.from(publicKey.slice(prefix.length), "base64");
}

function made(folder: string, name: string, keychain: Keychain): KeyPair {
  const file = path.join(folder, name);
  const pair = newPair();
  makePrivateFolder(folder);
  const draft = `${file}.${process.pid}`;
  writeKeyFile(draft, pair.content);
  const first = linkIfAbsent(draft, file);
  rmSync(draft);
  if (!first) return loadKeyPair(folder, name, keychain);
  moveToKeychain(file, name, pair.content, keychain);
  return pair.keys;
}

/** A new pair in place of the known one, whose private half is forgotten. `record` is called before that. */
export function replaceKeyPair(
  folder: string,
  record: (from: KeyPair, to: KeyPair) => void,
  keychain = ownKeychain,
): KeyPair {
  const from = loadKeyPair(folder, secretName, keychain);
  const file = path.join(folder, secretName);
  const { keys, content } = newPair();
  record(from, keys);
  switchTo(file, content);
  moveToKeychain(file, secretName, content, keychain);
  return keys;
}

function newPair(): { keys: KeyPair; content: KeyFile & { privateKey: string } } {
  const pair = generateKeyPairSync("ed25519");
  const privateKey = pair.privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  const publicKey = publicText(pair.publicKey);
  return { keys: pairOf(publicKey, pair.privateKey), content: { publicKey, privateKey, moving: true } };
}

/** The file holds both halves until the keychain has its own: whatever breaks off, one of the two is whole. */
function moveToKeychain(
  file: string,
  name: string,
  { publicKey, privateKey }: KeyFile & { privateKey: string },
  keychain: Keychain,
): void {
  const kept = keychain.write(name, privateKey);
  // Another process may have changed the key meanwhile, in the file or in the keychain.
  if (readKeyFile(file)?.publicKey !== publicKey) return;
  const alone = kept && keychain.read(name) === privateKey;
  switchTo(file, alone ? { publicKey } : { publicKey, privateKey });
}

function switchTo(file: string, content: KeyFile): void {
  const draft = `${file}.${process.pid}`;
  writeKeyFile(draft, content);
  renameSync(draft, file);
}

function privateKeyOf(file: string, text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw brokenKey(file, "its private half is no key");
  }
}

function pairOf(publicKey: string, key: KeyObject): KeyPair {
  return {
    publicKey,
    fingerprint: fingerprintOf(publicKey) ?? "",
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64"),
  };
}

function publicText(key: KeyObject): string {
  const raw = key.export({ format: "der", type: "spki" }).subarray(spkiHead.length);
  return prefix + raw.toString("base64");
}

function readKeyFile(file: string): KeyFile | undefined {
  try {
    return JSON.parse(readRegular(file)) as KeyFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw brokenKey(file, error instanceof SyntaxError ? "not valid JSON" : (error as Error).message);
  }
}

function writeKeyFile(file: string, content: KeyFile): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: "wx", flush: true });
}

const linkIfAbsent = (from: string, to: string): boolean =>
  withFallback(false, hasCode("EEXIST"), () => {
    linkSync(from, to);
    return true;
  });
