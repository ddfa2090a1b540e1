// Names of packages that exist and are in use, as text beside the program: 180 kB that most sessions never need.
import { readFileSync } from "node:fs";
import path from "node:path";
import { packageRoot } from "./installation.ts";

/** `ecosystem` names a file of assets/packages. */
export function packageNames(ecosystem: string): string[] {
  const text = readFileSync(path.join(packageRoot(), "assets", "packages", `${ecosystem}.txt`), "utf8");
  return text.replace(/^#.*$/gm, "").split(/\s+/).filter(Boolean);
}
