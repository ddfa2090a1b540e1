// Layers look down only, type imports included, and nothing imports in a circle.
const layers = [
  "base",
  "protocol",
  "io",
  "guard",
  "model",
  "memory",
  "extensions",
  "tools",
  "engine",
  "work",
  "app",
  "surfaces",
];

const upward = layers.map((layer, at) => ({
  name: `${layer}-looks-down`,
  severity: "error",
  from: { path: `^src/${layer}/` },
  to: { path: `^src/(${[...layers.slice(at + 1), "main.ts", "cli.ts"].join("|")})` },
}));

module.exports = {
  forbidden: [
    ...upward,
    {
      name: "surfaces-see-base-and-protocol",
      severity: "error",
      from: { path: "^src/surfaces/" },
      to: { path: "^src/", pathNot: "^src/(surfaces|protocol|base)/" },
    },
    {
      name: "tools-reach-nothing-by-themselves",
      severity: "error",
      comment: "A tool gets a grant. It sees types of what lies below, never a value of io or a model.",
      from: { path: "^src/tools/" },
      to: { path: "^src/(io|model|memory)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "providers-never-meet",
      severity: "error",
      comment: "But a recording is played through the chat-completions adapter: that is its point.",
      from: { path: "^src/model/providers/([^/]+)\\.ts$", pathNot: "/recorded\\.ts$" },
      to: { path: "^src/model/providers/", pathNot: "^src/model/providers/$1\\.ts$" },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-folder-circles",
      severity: "error",
      comment: "Two folders that import each other are one folder. test/tidy also looks at a folder and its own files.",
      scope: "folder",
      from: {},
      to: { circular: true },
    },
    {
      name: "nothing-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^vitest" },
    },
    {
      name: "nothing-undeclared",
      severity: "error",
      comment:
        "A package that package.json does not name may vanish with the one that brought it. What is bundled is a development " +
        "dependency: nobody who installs fettle needs it (test/real/package.test.ts).",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-no-pkg"] },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.(md|toml)$" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
