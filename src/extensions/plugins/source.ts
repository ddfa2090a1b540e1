// Where a plugin comes from, as a person names it: a folder, a git address, or a package of npm.
import { shellWord } from "../../base/shell-word.ts";

export type PluginSource =
  | { kind: "folder"; path: string }
  | { kind: "git"; address: string; at?: string }
  | { kind: "npm"; spec: string };

const packageSpec = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(?:@[\w.+~^-]+)?$/i;
const gitName = /^[\w.-]+\/[\w.-]+$/;
const branchName = /^[\w][\w./-]*$/;

/** `problem`: a sentence. Whatever is no address and no package is a folder. */
export function pluginSource(named: string): PluginSource | { problem: string } {
  const text = named.trim();
  if (text.startsWith("npm:")) {
    const spec = text.slice("npm:".length);
    return packageSpec.test(spec) ? { kind: "npm", spec } : { problem: `${text} is no name of a package.` };
  }
  const [, plain = "", , at] = /^(.*?)(#(.*))?$/.exec(text) ?? [];
  const isGit = /^(?:git\+|github:|ssh:\/\/|git:\/\/|https?:\/\/|git@)/.test(text) || /\.git$/.test(plain);
  if (!isGit || /^[./~]/.test(text)) return { kind: "folder", path: text };
  if (at !== undefined && !branchName.test(at)) return { problem: `${at} is no name of a branch or a tag.` };
  const short = /^github:(.*)$/.exec(plain)?.[1];
  if (short !== undefined && !gitName.test(short)) return { problem: `${plain} is no repository: github:OWNER/NAME.` };
  const address = short === undefined ? plain.replace(/^git\+/, "") : `https://github.com/${short}.git`;
  if (/[\s"'`$\\]|^-/.test(address)) return { problem: `${text} is no address of a repository.` };
  return { kind: "git", address, ...(at !== undefined && { at }) };
}

/** A command line whose files come to lie in `folder`. A package's scripts are not run. */
export function fetchCommand(source: Exclude<PluginSource, { kind: "folder" }>, folder: string): string {
  const into = shellWord(folder);
  if (source.kind === "git") {
    const branch = source.at === undefined ? "" : ` --branch ${shellWord(source.at)}`;
    return `git clone --quiet --depth 1${branch} -- ${shellWord(source.address)} ${into}/plugin`;
  }
  return `npm pack --silent --ignore-scripts --pack-destination ${into} ${shellWord(source.spec)}`;
}
