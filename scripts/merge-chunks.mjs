// Splitting makes one chunk for each set of entries that share code: a hundred small files on the way to the first
// request, each of which Node has to resolve, read and link. What is always loaded together becomes one file here; a
// chunk that went into it stays as a list of its exports, for those who come later.
import path from "node:path";
import { build } from "esbuild";

/**
 * `groups`: by name, the sources whose outputs belong together with all that these import statically; a chunk belongs
 * to the first group that has it. Answers the files to write, by name.
 */
export async function mergeChunks({ outputFiles, metafile }, groups) {
  const texts = new Map(outputFiles.map((file) => [path.basename(file.path), file.text]));
  const outputs = new Map(Object.entries(metafile.outputs).map(([file, output]) => [path.basename(file), output]));
  const groupOf = new Map();
  for (const [group, sources] of Object.entries(groups)) {
    for (const name of closure(outputs, sources)) if (!groupOf.has(name)) groupOf.set(name, group);
  }
  const others = [...texts.keys()].filter((name) => !groupOf.has(name));
  const files = new Map(await relinked(others, { texts, outputs, groupOf }));
  for (const group of Object.keys(groups)) {
    const members = [...groupOf].filter(([, of]) => of === group).map(([name]) => name);
    files.set(`${group}.js`, await merged(members, { texts, outputs, groupOf, group }));
    for (const name of members) files.set(name, exportList(name, outputs, group));
  }
  return files;
}

function closure(outputs, sources) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const { path: file, kind, external } of outputs.get(name)?.imports ?? []) {
      if (kind === "import-statement" && !external) visit(path.basename(file));
    }
  };
  for (const source of sources) {
    const holder = [...outputs].find(([, output]) => output.entryPoint === source || source in output.inputs);
    if (!holder) throw new Error(`no output holds ${source}`);
    visit(holder[0]);
  }
  return found;
}

const exported = (name, own) => `${name.replace(/\W/g, "_")}__${own}`;

/** The exports of a chunk, from the file that it went into. */
function exportList(name, outputs, group) {
  const names = outputs.get(name).exports;
  if (names.length === 0) return `import"./${group}.js";\n`;
  return `export{${names.map((own) => `${exported(name, own)} as ${own}`).join(",")}}from"./${group}.js";\n`;
}

async function merged(members, chunks) {
  const entry = members.map((name) => {
    const names = chunks.outputs.get(name).exports;
    const list = names.map((own) => `${own} as ${exported(name, own)}`).join(",");
    return names.length === 0 ? `import"./${name}";` : `export{${list}}from"./${name}";`;
  });
  const { outputFiles } = await build({
    ...options(chunks),
    stdin: { contents: entry.join("\n"), resolveDir: "/" },
  });
  return outputFiles[0].text;
}

/** What is in no group takes what is in one from there, and not by way of the lists: each is a module more to link. */
async function relinked(members, chunks) {
  const { outputFiles } = await build({
    ...options(chunks),
    entryPoints: members.map((name) => ({ in: `./${name}`, out: path.parse(name).name })),
    outdir: "/",
  });
  return outputFiles.map((file) => [path.basename(file.path), file.text]);
}

function options({ texts, outputs, groupOf, group }) {
  const plugin = {
    name: "merge-chunks",
    setup(builder) {
      builder.onResolve({ filter: /^\.\// }, ({ path: file, kind }) => {
        const name = path.basename(file);
        if (kind === "entry-point") return { path: name, namespace: "chunk" };
        const of = kind === "dynamic-import" ? undefined : groupOf.get(name);
        if (of !== undefined && of === group) return { path: name, namespace: "chunk" };
        return of === undefined ? { path: file, external: true } : { path: name, namespace: "elsewhere" };
      });
      builder.onLoad({ filter: /./, namespace: "chunk" }, ({ path: name }) => ({ contents: texts.get(name) }));
      builder.onLoad({ filter: /./, namespace: "elsewhere" }, ({ path: name }) => ({
        contents: exportList(name, outputs, groupOf.get(name)),
      }));
    },
  };
  return {
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node24",
    minifySyntax: true,
    minifyWhitespace: true,
    external: ["@napi-rs/keyring", "@vscode/ripgrep", "@earendil-works/pi-tui"],
    // Said of a dependency, once already.
    logOverride: { "direct-eval": "silent" },
    plugins: [plugin],
  };
}
