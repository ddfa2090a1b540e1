import fc from "fast-check";
import { expect, test } from "vitest";
import { assess } from "../../src/guard/assess/assess.ts";
import { packageName } from "../../src/guard/programs/packages/installs.ts";
import { manifestPackages } from "../../src/guard/supply/manifests.ts";
import { checkName } from "../../src/guard/supply/names.ts";
import { popularNames } from "../../src/guard/supply/popular.ts";
import { canonical, type Ecosystem, ecosystems, ecosystemOf } from "../../src/guard/supply/spelling.ts";
import type { FileChange } from "../../src/protocol/action.ts";
import { openWorld } from "./world.ts";
import { cpuClock } from "../support/cpu.ts";

const popular = (ecosystem: Ecosystem) => popularNames[ecosystem].split(/\s+/).filter(Boolean);

test.each([
  ["npm", "crossenv", "cross-env"],
  ["npm", "lodahs", "lodash"],
  ["npm", "electorn", "electron"],
  ["npm", "expresss", "express"],
  ["npm", "l0dash", "lodash"],
  ["npm", "nodesass", "node-sass"],
  ["npm", "vue.js", "vue"],
  ["npm", "types-node", "@types/node"],
  ["npm", "@typs/node", "@types/node"],
  ["npm", "react-domm", "react-dom"],
  ["pypi", "reqeusts", "requests"],
  ["pypi", "Python_Requests", "requests"],
  ["pypi", "nmap-python", "python-nmap"],
  ["pypi", "jeIlyfish", "jellyfish"],
  ["crates", "rustdecimal", "rust_decimal"],
  ["crates", "serde-jsom", "serde_json"],
  ["go", "github.com/siruspen/logrus", "github.com/sirupsen/logrus"],
  ["go", "github.com/boltdb-go/bolt", "github.com/boltdb/bolt"],
  ["maven", "org.fasterxml.jackson.core:jackson-databind", "com.fasterxml.jackson.core:jackson-databind"],
] as const)("%s %s resembles %s", (ecosystem, name, near) => {
  expect(checkName(ecosystem, name)).toEqual({ flagged: true, why: "typosquat", near });
});

test.each([
  ["npm", "lodash"],
  ["npm", "Preact"],
  ["npm", "@types/anything-at-all"],
  ["pypi", "PyYAML"],
  ["pypi", "zope_interface"],
  ["crates", "serde-json"],
  ["go", "github.com/gin-gonic/gin/v2"],
  ["maven", "com.google.guava:guava-testlib"],
] as const)("%s %s is known", (ecosystem, name) => {
  expect(checkName(ecosystem, name)).toEqual({ flagged: false, why: "", near: "" });
});

test("a name that is merely new is told as unknown, in every ecosystem and in one that is not known", () => {
  for (const ecosystem of ["npm", "pypi", "crates", "go", "maven", "elm", "constructor"])
    expect(checkName(ecosystemOf(ecosystem), "zzqx-internal-billing-thing")).toEqual({
      flagged: false,
      why: "unknown",
      near: "",
    });
});

test("no well-known name is flagged, in any of its spellings; two swapped letters of a long one are", () => {
  for (const ecosystem of ecosystems)
    for (const name of popular(ecosystem)) {
      expect(checkName(ecosystem, name)).toMatchObject({ flagged: false, why: "" });
      expect(checkName(ecosystem, name.toUpperCase())).toMatchObject({ flagged: false, why: "" });
    }
  const long = popular("npm").filter((name) => /^[a-z]{8,}$/.test(name));
  fc.assert(
    fc.property(fc.constantFrom(...long), fc.nat(), (name, place) => {
      const at = 1 + (place % (name.length - 2));
      const swapped = name.slice(0, at) + (name[at + 1] ?? "") + (name[at] ?? "") + name.slice(at + 2);
      fc.pre(swapped !== name && checkName("npm", swapped).why !== "");
      expect(checkName("npm", swapped).flagged).toBe(true);
    }),
  );
});

test("thousands of names, also absurd ones, are judged in a moment", () => {
  const names = Array.from({ length: 4000 }, (_, at) => `package-${at}-${"ab".repeat(at % 40)}`);
  const spent = cpuClock();
  for (const name of names) checkName("npm", name);
  checkName("npm", "a".repeat(100_000));
  checkName("maven", `${"a.".repeat(20_000)}:b`);
  expect(spent()).toBeLessThan(5000);
});

test("property: any text is a name that can be judged", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ecosystems), fc.string(), (ecosystem, name) => {
      expect(checkName(ecosystem, name).why).toMatch(/^(unknown|typosquat|)$/);
      expect(canonical(ecosystem, canonical(ecosystem, name))).toBe(canonical(ecosystem, name));
    }),
  );
});

const namesIn = (file: string, text: string) => {
  const listed = manifestPackages(file, text);
  return Array.isArray(listed) ? listed.map(({ ecosystem, name }) => `${ecosystem} ${name}`) : listed.problem;
};

test("manifests name their packages", () => {
  expect(
    namesIn("package.json", '{"dependencies":{"a":"1","b":"npm:l0dash@1"},"devDependencies":{"@x/y":"*"},"name":"n"}'),
  ).toEqual(["npm a", "npm l0dash", "npm @x/y"]);
  expect(
    namesIn("requirements-dev.txt", "# c\nDjango>=3 # why\nrequests[socks]==2\n-r other.txt\ngit+https://x/y\n"),
  ).toEqual(["pypi Django", "pypi requests"]);
  expect(
    namesIn(
      "pyproject.toml",
      '[project]\ndependencies = [\n "flask>=2",\n "rich"]\n[project.optional-dependencies]\ndev = ["pytest"]\n[tool.poetry.dependencies]\npython = "^3.9"\nhttpx = "*"\n',
    ),
  ).toEqual(["pypi flask", "pypi rich", "pypi pytest", "pypi httpx"]);
  expect(
    namesIn(
      "Cargo.toml",
      '[dependencies]\nserde = "1"\nx = { package = "real", version = "1" }\n[dev-dependencies.tokio]\nversion="1"\n[features]\na=[]\n',
    ),
  ).toEqual(["crates serde", "crates real", "crates tokio"]);
  expect(
    namesIn(
      "go.mod",
      "module m\nrequire (\n\tgithub.com/a/b v1.2.3\n)\nrequire github.com/c/d v1\nreplace x => github.com/e/f v1\n",
    ),
  ).toEqual(["go github.com/a/b", "go github.com/c/d", "go github.com/e/f"]);
  expect(
    namesIn("pom.xml", "<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency>"),
  ).toEqual(["maven g:a"]);
  expect(namesIn("package.json", "{")).toMatch(/cannot be read/);
  expect(namesIn("README.md", "")).toMatch(/no manifest/);
});

test("what an install names is a name of the registry, a folder or an address is none", () => {
  expect(packageName("npm", "@a/b@^1.2")).toBe("@a/b");
  expect(packageName("npm", "x@npm:l0dash@4")).toBe("l0dash");
  for (const text of ["./x", "../x", "file:x", "git+ssh://x", "a.tgz", "user/repo"])
    expect(packageName("npm", text)).toBeUndefined();
  expect(packageName("pypi", "requests[socks]>=2")).toBe("requests");
  expect(packageName("go", "github.com/a/b@latest")).toBe("github.com/a/b");
});

test("no manifest takes long to read, however hostile", () => {
  const many = 50_000;
  const manifests: [string, string][] = [
    ["requirements.txt", `a${"\t".repeat(many)}x`],
    ["pyproject.toml", `dependencies = ["a${"\t".repeat(many)}x"]`],
    ["pyproject.toml", "[".repeat(many)],
    ["Cargo.toml", "[".repeat(many)],
    ["go.mod", "=>a.ab/".repeat(many)],
    ["pom.xml", "<dependency>".repeat(many)],
    ["build.gradle", '"a'.repeat(many)],
  ];
  for (const [name, text] of manifests) {
    const spent = cpuClock();
    manifestPackages(name, text);
    expect(spent(), `${name}: ${text.slice(0, 20)}`).toBeLessThan(600);
  }
});

test("a dependency within a plugin is told beside it", () => {
  const inner = "<dependency><groupId>b</groupId><artifactId>inner</artifactId></dependency>";
  const plugin = `<plugin><groupId>a</groupId><artifactId>outer</artifactId><dependencies>${inner}</dependencies></plugin>`;
  expect(manifestPackages("pom.xml", plugin)).toMatchObject([{ name: "a:outer" }, { name: "b:inner" }]);
});

test("an install is asked for with what it brings; so is a change that adds a package to a manifest", async () => {
  const world = openWorld();
  try {
    const codes = (command: string) =>
      assess({ kind: "shell", command, background: false }, world.facts)
        .reasons.filter(({ code }) => code.startsWith("package."))
        .map(({ code, text }) => `${code} ${text.split(" ")[0]}`)
        .toSorted();
    const risk = (command: string) => assess({ kind: "shell", command, background: false }, world.facts).risk;
    const scripts = "package.scripts install";
    expect(codes("npm install lodahs react")).toEqual([scripts, "package.typosquat lodahs"]);
    expect(codes("npm i --ignore-scripts --save-dev lodahs")).toEqual(["package.typosquat lodahs"]);
    expect(codes("cd sub && yarn add -D zzqx-new-thing")).toEqual([scripts, "package.unknown zzqx-new-thing"]);
    expect(codes("pip3 install -i https://mirror.internal reqeusts==2")).toEqual([
      "package.scripts setup",
      "package.typosquat reqeusts",
    ]);
    expect(codes("python3 -m pip install reqeusts")).toContain("package.typosquat reqeusts");
    expect(codes("uv pip install reqeusts")).toContain("package.typosquat reqeusts");
    expect(codes("cargo add serde-jsom")).toContain("package.typosquat serde-jsom");
    expect(codes("go get github.com/siruspen/logrus@v1")).toEqual(["package.typosquat github.com/siruspen/logrus"]);
    expect(codes("npx crossenv a")).toEqual(["package.scripts the", "package.typosquat crossenv"]);
    expect(risk("npm install lodahs")).toBe("L2");
    expect(codes("npm test")).toEqual(["package.script runs"]);
    world.put("package.json", '{"dependencies":{"expresss":"4"}}');
    world.put("requirements.txt", "reqeusts\n");
    world.facts.refresh?.();
    expect(codes("npm ci")).toEqual([scripts, "package.typosquat expresss"]);
    expect(codes("pip install -r requirements.txt")).toContain("package.typosquat reqeusts");
    const added = (change: FileChange) =>
      assess({ kind: "change", changes: [change] }, world.facts).reasons.filter(({ code }) =>
        code.startsWith("package."),
      );
    expect(
      added({
        op: "write",
        path: "package.json",
        content: '{"dependencies":{"expresss":"5","lodahs":"1","react":"1"}}',
      }),
    ).toMatchObject([{ code: "package.typosquat", text: "adds lodahs, which resembles the well-known lodash" }]);
    expect(
      added({ op: "edit", path: "requirements.txt", edits: [{ old: "reqeusts\n", new: "reqeusts\nnumppy\n" }] }),
    ).toMatchObject([{ code: "package.typosquat" }]);
    expect(added({ op: "write", path: "notes.md", content: "npm install lodahs" })).toEqual([]);
  } finally {
    await world.close();
  }
});
