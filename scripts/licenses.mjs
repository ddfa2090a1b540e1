// The licences of what is bundled, as their packages bring them: they ask that they go along.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The folder of the package that a source belongs to; undefined for fettle's own. */
function packageOf(source) {
  const at = source.lastIndexOf("node_modules/");
  if (at === -1) return undefined;
  const [scope, name] = source.slice(at + "node_modules/".length).split("/");
  return source.slice(0, at) + path.join("node_modules", scope, scope.startsWith("@") ? name : "");
}

/** `sources`: paths below `root`. */
export function licensesOf(sources, root) {
  const packages = [...new Set(sources.flatMap((source) => packageOf(source) ?? []))];
  const parts = packages.map((folder) => {
    const at = path.join(root, folder);
    const { name, version, license } = JSON.parse(readFileSync(path.join(at, "package.json"), "utf8"));
    const file = readdirSync(at).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each));
    const text = file !== undefined && existsSync(path.join(at, file)) ? readFileSync(path.join(at, file), "utf8") : "";
    return { title: `${name} ${version} (${license})`, text: text.trim() };
  });
  return parts
    .toSorted((left, right) => (left.title < right.title ? -1 : 1))
    .map(({ title, text }) => `${title}\n\n${text}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}
