// Writes assets/packages/*.txt from lists that are at hand. Asks no registry: the lists are given on the command line.
//   --debian FILE      output of `apt-cache pkgnames`: what Debian packages for Node, Python, Rust, Go and Java
//   --manifests DIR    manifests below a folder: what real projects depend on (may be given several times)
//   --list NAME=FILE   one name per line for npm, pypi, crates, go or maven (may be given several times)
//   --date YYYY-MM-DD  when the lists were taken
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { manifestPackages } from "../src/guard/supply/manifests.ts";
import { canonical } from "../src/guard/supply/spelling.ts";

const { values } = parseArgs({
  options: {
    debian: { type: "string" },
    manifests: { type: "string", multiple: true, default: [] },
    list: { type: "string", multiple: true, default: [] },
    date: { type: "string" },
  },
});
if (!values.date || (!values.debian && values.manifests.length === 0 && values.list.length === 0)) {
  console.error("Give --date and at least one of --debian FILE, --manifests DIR, --list NAME=FILE.");
  process.exit(2);
}

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const known = { npm: new Set(), pypi: new Set(), crates: new Set(), go: new Set(), maven: new Set() };
const sources = [];
const add = (ecosystem, name) => {
  const plain = canonical(ecosystem, name);
  if (/^[a-z0-9@][a-z0-9@/._:-]{1,80}$/.test(plain)) known[ecosystem].add(plain);
};

/** The upstream's name in a Debian package's name. */
function fromDebian(name) {
  const node = /^node-(.+)$/.exec(name)?.[1];
  if (node) add("npm", node);
  const python = /^python3-(.+?)(?:-doc|-dbg)?$/.exec(name)?.[1];
  if (python) add("pypi", python);
  const rust = /^librust-(.+?)(?:-\d+(?:\.\d+)*)?(?:\+.*)?-dev$/.exec(name)?.[1];
  if (rust) add("crates", rust);
  const go = /^golang-((?:github|golang|gopkg|google|go|k8s|gitlab|bitbucket)-.+?)(?:-dev)?$/.exec(name)?.[1];
  if (go) add("go", go);
  const java = /^lib(.+)-java$/.exec(name)?.[1];
  if (java) add("maven", java);
}

if (values.debian) {
  for (const name of readFileSync(values.debian, "utf8").split("\n")) fromDebian(name);
  sources.push("package names of Debian (apt-cache pkgnames)");
}
for (const folder of values.manifests) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const listed = manifestPackages(entry.name, readFileSync(path.join(entry.parentPath, entry.name), "latin1"));
    if (Array.isArray(listed)) for (const { ecosystem, name } of listed) add(ecosystem, name);
  }
}
if (values.manifests.length > 0) sources.push("dependencies in the manifests of published packages");
for (const given of values.list) {
  const [ecosystem, file] = given.split("=");
  for (const name of readFileSync(file, "utf8").split(/\s+/)) if (name !== "") add(ecosystem, name);
  sources.push(`the list ${path.relative(root, path.resolve(file))}`);
}

const folder = path.join(root, "assets/packages");
for (const [ecosystem, names] of Object.entries(known)) {
  const lines = [];
  let line = "";
  for (const name of [...names].sort()) {
    if (line.length + name.length > 600) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? name : ` ${name}`;
  }
  lines.push(line);
  const text = `# Names that exist and are in use. Source: ${sources.join("; ")}; ${values.date}.
# Made by scripts/refresh-package-names.mjs; edit the lists, not this file.
${lines.join("\n")}
`;
  writeFileSync(path.join(folder, `${ecosystem}.txt`), text);
  console.log(ecosystem, names.size, text.length);
}
