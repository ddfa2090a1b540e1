import { hash } from "node:crypto";
import { canonical } from "./canonical.ts";

/** Lower-case hexadecimal SHA-256; text is taken as UTF-8. */
export const sha256 = (data: string | Uint8Array): string => hash("sha256", data, "hex");

/** SHA-256 of the canonical JSON of `value`. */
export const digestOf = (value: unknown): string => sha256(canonical(value));
