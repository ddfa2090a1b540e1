import { readFileSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import type { PolicyFile, PolicyLevel } from "../../io/config/policy.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Program } from "../program/program.ts";

/** A policy file that a person names, by the name that they gave. Throws a Fault when it cannot be read. */
export function readNamedPolicy({ cwd }: Program, file: string, level: PolicyLevel): PolicyFile {
  try {
    return { level, file, text: readFileSync(path.resolve(cwd, file), "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const why = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : code;
    throw new Fault("policy.file", Exit.usage, `${file} cannot be read: ${why}.`, "Name an existing policy file.");
  }
}
