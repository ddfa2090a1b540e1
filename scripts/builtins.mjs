// Node's built-in modules without their ESM face: making that touches every property of a module, and so loads much
// that nobody asked for (streams, web crypto, text decoders), at each start.
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";

const statement = /^(?:import|export)\s+(?:\w+\s*,?\s*)?(?:\{([^}]*)\}\s*)?from\s+["'](node:[\w/]+)["']/gm;
const namespaceImport = /^import\s+\*\s+as\s/m;

/** Of `import { a, type B, c as d }`: a, c. */
const valuesIn = (list) =>
  list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => each.split(/\s+as\s+/)[0]);

function sourcesIn(folder) {
  const real = realpathSync(folder);
  return readdirSync(real, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/**
 * For esbuild. All that the sources in `folders` import by name is known from them; other importers keep Node's face,
 * and so does `entry`: what it shares with others would be loaded before it, and so before cached code can be had.
 * `late(importer, name)`: whether it imports that module whole and hardly ever uses it; it is loaded when it does.
 */
export function builtins({ entry, folders, late }) {
  const names = new Map();
  const importers = new Set();
  for (const file of folders.flatMap(sourcesIn)) {
    const text = readFileSync(file, "utf8");
    if (file === entry || namespaceImport.test(text)) continue;
    importers.add(file);
    for (const [, list = "", name] of text.matchAll(statement)) {
      const known = names.get(name) ?? new Set();
      names.set(name, known);
      for (const each of valuesIn(list)) known.add(each);
    }
  }
  return {
    name: "builtins",
    setup(builder) {
      builder.onResolve({ filter: /^node:/ }, ({ path: name, importer, kind }) =>
        kind === "import-statement" && importers.has(importer)
          ? { path: name, namespace: late(importer, name) ? "late builtin" : "builtin" }
          : undefined,
      );
      builder.onLoad({ filter: /./, namespace: "late builtin" }, ({ path: name }) => ({
        contents: `export default new Proxy({}, { get: (_, name) => process.getBuiltinModule(${JSON.stringify(name)})[name] });`,
      }));
      builder.onLoad({ filter: /./, namespace: "builtin" }, ({ path: name }) => ({
        contents: [
          `const builtin = process.getBuiltinModule(${JSON.stringify(name)});`,
          "export default builtin;",
          ...[...names.get(name)].map((each) => `export const ${each} = builtin.${each};`),
        ].join("\n"),
      }));
    },
  };
}
