// Where the repository comes from, by its own configuration: asked without any program that a remote or a URL could name.
import path from "node:path";
import { settingsMention } from "../../../io/git/git-tips.ts";
import type { TaskRemote } from "../../../protocol/task.ts";
import type { Repository } from "../world/git.ts";

interface Address {
  /** Host with its port; empty for a folder. */
  host: string;
  /** Of the repository at that host. */
  path: string;
  scheme: "https" | "http" | "ssh" | "git" | "folder";
}

/** Undefined: there is none for this branch. */
export async function remoteOf(
  repository: Repository,
  branch: string,
  githubApi: string | undefined,
): Promise<TaskRemote | undefined> {
  const tracks = settingsMention(repository.folder, /\[branch/i);
  const name = (tracks ? await repository.line("config", "--get", `branch.${branch}.remote`) : undefined) ?? "origin";
  const given = name === "." ? undefined : await repository.line("remote", "get-url", "--", name);
  if (given === undefined || given === "") return undefined;
  const address = readAddress(given, repository.folder);
  const shown = withoutUser(given);
  if (!address) return { name, given: shown };
  const forge = forgeAt(address, githubApi);
  const url = askedAt(address, forge);
  return { name, given: shown, ...(url !== undefined && { url }), ...(forge && { forge }) };
}

const withoutUser = (url: string): string => url.replace(/^([a-z+]+:\/\/)[^/]*@/i, "$1");

function readAddress(given: string, folder: string): Address | undefined {
  const url = /^(https?|ssh|git):\/\/(?:[^/]*@)?([^/]+)\/(.*)$/i.exec(given);
  if (url) {
    const [, scheme = "", host = "", rest = ""] = url;
    return { scheme: scheme.toLowerCase() as Address["scheme"], host: host.toLowerCase(), path: plainPath(rest) };
  }
  const file = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(given);
  if (file?.[1] !== undefined) return { scheme: "folder", host: "", path: file[1] };
  if (/^[a-z][a-z0-9+.-]*::?\/\//i.test(given) || /^[\w-]+::/.test(given)) return undefined;
  const short = /^(?:[^@/:]+@)?([^/:]+):(.+)$/.exec(given);
  if (short) return { scheme: "ssh", host: (short[1] ?? "").toLowerCase(), path: plainPath(short[2] ?? "") };
  return { scheme: "folder", host: "", path: path.resolve(folder, given) };
}

const plainPath = (text: string): string => text.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");

/** `OWNER/NAME` at github.com, or at the person's own GitHub. */
function forgeAt({ host, path: at, scheme }: Address, githubApi: string | undefined): TaskRemote["forge"] {
  if (scheme === "folder" || scheme === "git" || !/^[\w.-]+\/[\w.-]+$/.test(at)) return undefined;
  const bare = scheme === "ssh" ? host.replace(/:\d+$/, "") : host;
  if (/^(?:www\.|ssh\.)?github\.com$/.test(bare))
    return { api: "https://api.github.com", repository: at, web: "https://github.com" };
  if (githubApi === undefined || !URL.canParse(githubApi)) return undefined;
  const api = new URL(githubApi);
  const own = api.host.replace(/^api\./, "");
  return bare === own || bare === api.hostname.replace(/^api\./, "")
    ? { api: githubApi.replace(/\/+$/, ""), repository: at, web: `${api.protocol}//${own}` }
    : undefined;
}

/** fettle speaks no ssh; a forge is asked over https, whatever is configured. */
function askedAt({ scheme, host, path: at }: Address, forge: TaskRemote["forge"]): string | undefined {
  if (scheme === "folder") return at;
  if (forge) return `${forge.web}/${forge.repository}.git`;
  return scheme === "https" || scheme === "http" ? `${scheme}://${host}/${at}.git` : undefined;
}

/** Why fettle cannot ask it. */
export const unaskable = ({ name, given }: TaskRemote): string =>
  `${name} (${given}) is reached in a way that fettle does not use: it asks https and folders`;
