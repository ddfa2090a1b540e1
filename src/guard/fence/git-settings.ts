// What git inside a process knows of the person's own settings: who they are and how they end lines, nothing that runs.
import path from "node:path";
import { entryOf } from "../../base/entry.ts";
import { readBytes } from "../../io/files/bytes.ts";
import { FileProblem } from "../../io/files/problem.ts";
import { gitSettingsPrefix } from "../../io/places/places.ts";
import { keepFiles } from "../../io/places/kept-files.ts";
import { GrantError } from "../contract/grant.ts";
import type { Facts } from "../contract/ports.ts";

/** Keys by section; every other setting can name a program, a file or another repository. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  user: ["name", "email"],
  core: ["autocrlf", "eol", "safecrlf", "quotepath", "precomposeunicode", "ignorecase"],
  init: ["defaultbranch"],
  safe: ["directory"],
  merge: ["conflictstyle"],
  pull: ["rebase", "ff"],
};

const places = [".gitconfig", ".config/git/config"];

/**
 * Writes what stands in for the person's git configuration. Its folder holds nothing else, lies beside the private
 * temporary folder, and programs see it read-only: one that stays cannot change what a later git obeys.
 */
export async function writeGitSettings(facts: Facts): Promise<void> {
  const texts = await Promise.all(places.map((place) => textOf(facts, path.join(facts.home, place))));
  const files = { config: texts.map(harmlessPart).join(""), attributes: attributesText };
  try {
    keepFiles(gitSettingsFolder(facts.temporary), files);
  } catch (error) {
    throw new GrantError(`git's settings could not be kept: ${error instanceof Error ? error.message : ""}.`);
  }
}

/**
 * Files whose content git's readers leave out, as the mask leaves it out of the work tree: what stands in commits has no
 * path that could be masked. Names as in rules/paths.ts (environmentFiles, secretFiles).
 */
const contentHidden = [
  ...[
    ".env",
    ".env.*",
    "*.env",
    ".envrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".dev.vars",
    ".flaskenv",
    ".s3cfg",
    ".boto",
  ],
  ...["json", "yaml", "yml", "toml", "ini", "txt", "properties", "env", "xml", "cfg", "conf"].flatMap((end) => [
    ...[`secret.${end}`, `secrets.${end}`, `credential.${end}`, `credentials.${end}`, `service?account*.${end}`],
  ]),
  ...["wp-config.php", "database.yml", "local_settings.py", "*.tfvars", "*.tfstate", "*.tfstate.backup", "kubeconfig"],
  ...["application-secret*", "appsettings.secret*", ".netrc", ".git-credentials", ".pgpass", ".htpasswd", ".my.cnf"],
  ...["id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore"],
  ...[
    "*.kdb",
    "*.kdbx",
    "*.ppk",
    "*.p8",
    "*.keytab",
    "*.agekey",
    "*.ovpn",
    "wallet.dat",
    "private?key*",
    "private_key*",
  ],
];
const contentShown = ["example", "sample", "template", "dist", "default", "defaults", "schema", "tpl"];

const attributesText = [
  ...contentHidden.map((name) => `${name} -diff`),
  ...contentShown.flatMap((end) => [`.env.${end} !diff`, `.env.*.${end} !diff`]),
  "id_*.pub !diff",
  "",
].join("\n");

/** Of the session whose private temporary folder this is. */
export const gitSettingsFolder = (temporary: string): string =>
  path.join(path.dirname(temporary), `${gitSettingsPrefix}${path.basename(temporary)}`);

/** The attributes that hide the content of sensitive files from git's readers. */
export const gitAttributesFile = (temporary: string): string => path.join(gitSettingsFolder(temporary), "attributes");

export const gitSettingsFile = (temporary: string): string => path.join(gitSettingsFolder(temporary), "config");

async function textOf(facts: Facts, file: string): Promise<string> {
  const { real, kind } = facts.path(file);
  if (kind !== "file") return "";
  try {
    return new TextDecoder().decode((await readBytes(real, { limit: 256 * 1024 })).bytes);
  } catch (error) {
    if (error instanceof FileProblem) return "";
    throw error;
  }
}

/** Sections with a subsection, continued lines and includes are left out. */
export function harmlessPart(text: string): string {
  const kept: string[] = [];
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)\s*\]\s*(?:[#;].*)?$/.exec(line);
    if (header) section = (header[1] ?? "").toLowerCase();
    else if (/^\s*\[/.test(line)) section = "";
    const setting = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=.*$/.exec(line);
    const name = (setting?.[1] ?? "").toLowerCase();
    if (setting && !line.endsWith("\\") && entryOf(harmless, section)?.includes(name))
      kept.push(`[${section}]\n${line.trim()}\n`);
  }
  return kept.join("");
}
