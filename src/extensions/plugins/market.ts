// A list of plugins as others publish it: plain JSON, in the form of Claude Code.
import path from "node:path";
import type { PluginMarket } from "../../protocol/plugin.ts";
import { pluginSource } from "./source.ts";

const most = { plugins: 2_000, text: 500 };

type Listed = PluginMarket["plugins"][number];

/** `folder`: what the paths in it begin from. Throws a SyntaxError for what is no such list. */
export function readMarket(text: string, folder: string): PluginMarket {
  const whole: unknown = JSON.parse(text);
  if (!isTable(whole) || !Array.isArray(whole["plugins"])) throw new SyntaxError("it names no list of plugins");
  const { name } = whole;
  const metadata = isTable(whole["metadata"]) ? whole["metadata"] : {};
  const base = typeof metadata["pluginRoot"] === "string" ? metadata["pluginRoot"] : ".";
  const taken = new Set<string>();
  const problems: string[] = [];
  const plugins = whole["plugins"].slice(0, most.plugins).flatMap((entry: unknown, at): Listed[] => {
    if (!isTable(entry) || typeof entry["name"] !== "string" || entry["name"] === "") {
      problems.push(`Entry ${at + 1} has no name.`);
      return [];
    }
    const listed = entry["name"].slice(0, most.text);
    if (taken.has(listed)) {
      problems.push(`Two plugins are called ${listed}; the first one counts.`);
      return [];
    }
    taken.add(listed);
    const said = entry["description"];
    const description = typeof said === "string" ? said.slice(0, most.text) : "";
    return [{ name: listed, description, ...sourceOf(entry["source"], { folder, base }) }];
  });
  if (whole["plugins"].length > most.plugins) problems.push(`Only the first ${most.plugins} plugins are read.`);
  return { name: typeof name === "string" ? name.slice(0, most.text) : "", plugins, problems };
}

const isTable = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Place {
  folder: string;
  base: string;
}

function sourceOf(source: unknown, place: Place): Pick<Listed, "source" | "problem"> {
  if (typeof source === "string") return within(source, place);
  if (!isTable(source)) return { problem: "says nothing of where it comes from" };
  const text = (key: string) => (typeof source[key] === "string" ? source[key] : undefined);
  const [kind, at] = [text("source"), text("ref") ?? text("sha")];
  const ref = at === undefined ? "" : `#${at}`;
  if (kind === "github" && text("repo") !== undefined) return checked(`github:${text("repo")}${ref}`);
  if ((kind === "url" || kind === "git") && text("url") !== undefined) return checked(`git+${text("url")}${ref}`);
  if (kind === "npm" && text("package") !== undefined) {
    const version = text("version");
    return checked(`npm:${text("package")}${version === undefined ? "" : `@${version}`}`);
  }
  return { problem: `comes from ${JSON.stringify(kind)?.slice(0, 60) ?? "nowhere"}, which fettle does not fetch` };
}

function checked(named: string): Pick<Listed, "source" | "problem"> {
  const read = pluginSource(named);
  return "problem" in read ? { problem: read.problem.replace(/\.$/, "") } : { source: named };
}

/** A path of the list lies beside it, or nowhere. */
function within(named: string, { folder, base }: Place): Pick<Listed, "source" | "problem"> {
  const full = path.resolve(folder, base, named);
  const inside =
    !path.isAbsolute(named) && !path.isAbsolute(base) && (full === folder || full.startsWith(`${folder}${path.sep}`));
  return inside
    ? { source: full }
    : { problem: `names ${JSON.stringify(named.slice(0, 200))}, which leads out of the list's folder` };
}
