// What `npm pack` gives: small, whole, and running where it is installed, also without what is optional.
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce, projectRoot } from "../support/program.ts";

const patienceMs = 600_000;
const room = mkdtempSync(path.join(os.tmpdir(), "fettle-package-"));
const at = (...parts: string[]) => path.join(room, ...parts);
const systemNode = execFileSync("sh", ["-c", "command -v node"], { encoding: "utf8" }).trim();
const npm = path.join(
  path.dirname(execFileSync("sh", ["-c", "readlink -f $(command -v npm)"], { encoding: "utf8" }).trim()),
  "npm-cli.js",
);
let packed = "";

beforeAll(async () => {
  await buildOnce();
  const name = execFileSync(systemNode, [npm, "pack", "--silent", "--pack-destination", room], {
    cwd: projectRoot,
    encoding: "utf8",
  });
  packed = at(name.trim());
}, patienceMs);
afterAll(() => rmSync(room, { recursive: true, force: true }));

/** As `npm i -g` does it, with that Node; what comes back runs what was installed, finding only that Node. */
function install(prefix: string, node: string, ...flags: string[]) {
  mkdirSync(at(prefix, "home", "work"), { recursive: true });
  mkdirSync(at(prefix, "node"), { recursive: true });
  symlinkSync(node, at(prefix, "node", "node"));
  execFileSync(
    node,
    [npm, "install", "-g", "--silent", "--no-audit", "--no-fund", "--prefix", at(prefix), ...flags, packed],
    {
      cwd: room,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, PATH: `${at(prefix, "node")}:/usr/bin:/bin` },
    },
  );
  const run = (args: readonly string[], more: Record<string, string> = {}) => {
    try {
      const stdout = execFileSync("fettle", args, {
        cwd: at(prefix, "home", "work"),
        encoding: "utf8",
        env: {
          HOME: at(prefix, "home"),
          PATH: `${at(prefix, "bin")}:${at(prefix, "node")}:/usr/bin:/bin`,
          LANG: "C.UTF-8",
          ...more,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      return { code: 0, stdout, stderr: "" };
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
      return { code: status, stdout, stderr };
    }
  };
  const uses = (other: string) => {
    rmSync(at(prefix, "node", "node"));
    symlinkSync(other, at(prefix, "node", "node"));
  };
  return { root: at(prefix, "lib", "node_modules", "fettle"), run, uses };
}

function sizeOf(entry: string, leftOut: (name: string) => boolean): number {
  const found = lstatSync(entry);
  if (!found.isDirectory()) return found.size;
  return readdirSync(entry).reduce(
    (sum, name) => (leftOut(name) ? sum : sum + sizeOf(path.join(entry, name), leftOut)),
    0,
  );
}

const isRuntime = (name: string) => /^node-(bin-)?(linux|darwin)/.test(name);

test.each([
  ["the system's Node", systemNode],
  ["the runtime's Node", process.execPath],
])(
  "npm i -g with %s installs less than 30 MB beside the runtime, and starts",
  async (name, node) => {
    const { root, run } = install(name.replaceAll(/\W+/g, "-"), node);
    expect(sizeOf(root, isRuntime)).toBeLessThan(30_000_000);
    expect(run(["--version"]).stdout).toBe(
      `fettle ${(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string }).version}\n`,
    );
    expect(run(["--help"]).stdout).toContain("task [request]");
    // Where man looks for it.
    expect(readFileSync(path.join(root, "..", "..", "..", "share", "man", "man1", "fettle.1"), "utf8")).toContain(
      ".TH FETTLE 1",
    );
    const checks = JSON.parse(run(["doctor", "--json"]).stdout) as { name: string; status: string; detail: string }[];
    expect(checks.find((check) => check.name === "ripgrep")).toMatchObject({
      status: "ok",
      detail: expect.stringContaining(root),
    });
    expect(checks.find((check) => check.name === "node")).toMatchObject({ status: "ok" });
    // Its licences go along, and the grammars that it reads.
    expect(readFileSync(path.join(root, "dist", "third-party-licenses.txt"), "utf8")).toContain("commander");
    const names =
      /GrammarName =([^;]+);/.exec(readFileSync(path.join(projectRoot, "src", "io", "grammars.ts"), "utf8"))?.[1] ?? "";
    const grammars = [...names.matchAll(/"([\w-]+)"/g)].map(([, grammar]) => `tree-sitter-${grammar}.wasm.br`);
    expect(grammars.length).toBeGreaterThan(5);
    expect(readdirSync(path.join(root, "dist", "grammars")).toSorted()).toEqual(
      [...grammars, "web-tree-sitter.wasm.br"].toSorted(),
    );
    const demo = run(["demo"]);
    expect([demo.code, demo.stderr]).toEqual([0, expect.any(String)]);
  },
  patienceMs,
);

test(
  "without what is optional it runs on a Node that is new enough, and says so on one that is not",
  () => {
    const { root, run, uses } = install("bare", process.execPath);
    const optional = [
      "node_modules/@vscode",
      ...readdirSync(path.join(root, "node_modules"))
        .filter(isRuntime)
        .map((name) => `node_modules/${name}`),
    ];
    for (const name of optional) rmSync(path.join(root, name), { recursive: true });
    expect(run(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^fettle \d/) });
    const checks = JSON.parse(run(["doctor", "--json"]).stdout) as { name: string; status: string; remedy?: string }[];
    expect(checks.find(({ name }) => name === "node")?.status).toBe("ok");
    expect(checks.find(({ name }) => name === "ripgrep")?.status).toMatch(/ok|warning/);
    uses(systemNode);
    const [major = 0] = execFileSync(systemNode, ["-p", "process.versions.node"], { encoding: "utf8" })
      .split(".")
      .map(Number);
    const started = run(["--version"]);
    expect([started.code, started.stderr]).toEqual(
      major >= 24 ? [0, ""] : [69, expect.stringMatching(/needs Node 24.*install it again with its optional packages/)],
    );
  },
  patienceMs,
);
