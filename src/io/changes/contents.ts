// Contents of files as they were before fettle replaced them: encrypted, as any of them may be a file for secrets.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isA, withFallback } from "../../base/fallback.ts";
import { makePrivateFolder } from "../places/places.ts";

/** All that is kept of one session. */
const most = 1024 * 1024 * 1024;

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

export class Contents {
  readonly #folder: string;
  readonly #key: () => Uint8Array;
  #keys: { names: Buffer; contents: Buffer } | undefined;
  #bytes: number | undefined;

  constructor(folder: string, key: () => Uint8Array) {
    this.#folder = folder;
    this.#key = key;
  }

  /** The same for the same content, and tells nothing of it to who has not the key. */
  name(content: Buffer): string {
    return createHmac("sha256", this.#derived().names).update(content).digest("hex").slice(0, 40);
  }

  /** Answers its name; it is not kept where there is no more room. */
  keep(content: Buffer): string {
    const name = this.name(content);
    const file = path.join(this.#folder, name);
    this.#bytes ??= bytesIn(this.#folder);
    if (existsSync(file) || this.#bytes + content.length > most) return name;
    makePrivateFolder(this.#folder);
    const iv = randomBytes(ivBytes);
    const sealing = createCipheriv(cipher, this.#derived().contents, iv);
    const sealed = Buffer.concat([sealing.update(content), sealing.final()]);
    const draft = `${file}.${randomBytes(4).toString("hex")}`;
    try {
      writeFileSync(draft, Buffer.concat([iv, sealing.getAuthTag(), sealed]), { mode: 0o600, flag: "wx" });
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    this.#bytes += content.length;
    return name;
  }

  has(name: string): boolean {
    return existsSync(path.join(this.#folder, name));
  }

  /** Undefined where it was not kept, or is not what was kept. */
  read(name: string): Buffer | undefined {
    if (!this.has(name)) return undefined;
    const bytes = readFileSync(path.join(this.#folder, name));
    return withFallback(undefined, isA(Error), () => {
      const opening = createDecipheriv(cipher, this.#derived().contents, bytes.subarray(0, ivBytes));
      opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([opening.update(bytes.subarray(ivBytes + tagBytes)), opening.final()]);
    });
  }

  #derived() {
    this.#keys ??= { names: derived(this.#key(), "names"), contents: derived(this.#key(), "contents") };
    return this.#keys;
  }
}

const derived = (key: Uint8Array, use: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "", `fettle own changes: ${use}`, 32));

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
}
