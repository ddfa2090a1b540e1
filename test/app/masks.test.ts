// Which files of a workspace commands must not see, and what they see in their place.
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { sensitiveFiles } from "../../src/app/program/masks.ts";
import { withoutSecretValues } from "../../src/guard/firewall/shown-settings.ts";
import { createFacts } from "../../src/io/facts.ts";
import { temporaryFolder, writeFiles } from "../support/folders.ts";

let root: string;
const put = (name: string, text = "A=1\n") => writeFiles(path.join(root, "w"), { [name]: text });
const found = () => {
  const workspace = path.join(root, "w");
  const places = {
    workspace,
    home: path.join(root, "h"),
    temporary: path.join(root, "t"),
    own: [],
    env: {},
    extraFolders: [],
  };
  return sensitiveFiles(createFacts(places))
    .all()
    .map(({ path: file, shown }) => [path.relative(workspace, file), shown] as const)
    .sort();
};

beforeEach(() => {
  root = temporaryFolder();
  put(".gitignore", "dist\nnode_modules\n");
});

test("sensitive files are found at any depth, in ignored, build and dependency folders too", () => {
  const deep = `${Array.from({ length: 30 }, (_, at) => `d${at}`).join("/")}/.env`;
  const names = [
    "build/.env",
    "dist/prod.env",
    "node_modules/a/key.pem",
    "target/x/.ENV",
    ".venv/secrets.json",
    deep,
    "ü/.env",
  ];
  for (const name of [...names, "dist/app.js", "build/.env.example", ".git/secrets.json"]) put(name);
  expect(found().map(([name]) => name)).toEqual([...names].sort());
});

test("what a link with a telling name leads to is hidden as the link is, unless commands cannot do without it", () => {
  put("envs/dev");
  put("envs/other");
  put("conf/registry", "fund=false\n");
  put("conf/token", "//r.example.com/:_authToken=abcdefgh\n");
  for (const folder of ["a", "b", "c"]) put(`${folder}/x`);
  const link = (name: string, target: string) => symlinkSync(target, path.join(root, "w", name));
  link(".env", "envs/dev");
  link("a/.npmrc", "../conf/registry");
  link("b/.npmrc", "../conf/token");
  link("c/.env", "/etc/hostname");
  link("f.env", "/usr/bin/env");
  mkdirSync(path.join(root, "elsewhere"));
  writeFileSync(path.join(root, "elsewhere/conf"), "A=1\n");
  link("g.env", "../elsewhere/conf");
  link("c/.env.local", "../.gone");
  link("d.env", ".");
  link("e.env", "envs");
  const shown = "//r.example.com/:_authToken=\n";
  expect(found()).toEqual([
    ["../elsewhere/conf", undefined],
    [".env", undefined],
    ["b/.npmrc", shown],
    ["c/.env", undefined],
    ["c/.env.local", undefined],
    ["conf/token", shown],
    ["d.env", undefined],
    ["e.env", undefined],
    ["envs/dev", undefined],
    ["f.env", undefined],
    ["g.env", undefined],
  ]);
});

test("a hidden file is hidden under every name that it has in the workspace", () => {
  put("deep/notes.txt", "no secret\n");
  put(".env");
  put("a/.npmrc", "fund=false\n//r.example.com/:_authToken=abcdefgh\n");
  put("b/.npmrc", "fund=false\n");
  const link = (from: string, to: string) => linkSync(path.join(root, "w", from), path.join(root, "w", to));
  mkdirSync(path.join(root, "w", "dist"));
  link(".env", "dist/notes.txt");
  link(".env", "deep/second");
  link("a/.npmrc", "settings");
  link("b/.npmrc", "plain");
  link("deep/notes.txt", "twin.txt");
  const shown = "fund=false\n//r.example.com/:_authToken=\n";
  expect(found()).toEqual([
    [".env", undefined],
    ["a/.npmrc", shown],
    ["deep/second", undefined],
    ["dist/notes.txt", undefined],
    ["settings", shown],
  ]);
});

test("settings without a secret are not hidden, and others are seen without their secret values", () => {
  put(".npmrc", "package-lock=false\nignore-scripts=true\n//r.example.com/:_authToken=${NPM_TOKEN}\n");
  put("a/.npmrc", "registry=https://r.example.com/npm/\n//r.example.com/:_authToken=abcdefgh\n");
  put("b/.npmrc", "");
  put(".env", "A=1\n");
  expect(found()).toEqual([
    [".env", undefined],
    ["a/.npmrc", "registry=https://r.example.com/npm/\n//r.example.com/:_authToken=\n"],
  ]);
});

const value = "hunter2secretQ9";
test.each([
  [".npmrc", `_auth = ${value}\nsave=true\n`, "_auth = \nsave=true\n"],
  [".npmrc", `registry=https://me:${value}@r.example.com/\n`, "registry=https://r.example.com/\n"],
  [
    ".yarnrc.yml",
    `npmAuthToken: "${value}"\nnodeLinker: node-modules\n`,
    'npmAuthToken: ""\nnodeLinker: node-modules\n',
  ],
  [".pypirc", `[pypi]\nusername = u\npassword = ${value}\n`, "[pypi]\nusername = \npassword = \n"],
  [
    "pip.conf",
    `[global]\nindex-url = https://t:${value}@p.example.com/simple\n`,
    "[global]\nindex-url = https://p.example.com/simple\n",
  ],
  [
    ".m2/settings.xml",
    `<server><id>x</id><password>${value}</password></server>`,
    "<server><id>x</id><password></password></server>",
  ],
  [".npmrc", "odd=a1b2c3d4e5f6g7h8i9j0k1l2\n", "odd=\n"],
])("%s is shown without what is secret in it: %s", (name, text, shown) => {
  expect(withoutSecretValues(`/w/${name}`, text)).toBe(shown);
});

test("what goes over several lines is hidden whole", () => {
  for (const text of [`token: |\n  ${value}\n`, `cert="-----BEGIN PRIVATE KEY-----\\nx"\n`, `key=a\\\n${value}\n`])
    expect(withoutSecretValues("/w/.yarnrc.yml", text)).toBeUndefined();
});
