// The packages that a project has at hand, in the versions that it uses: nothing is fetched.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { DocsOptions, InstalledPackage } from "./spec.ts";

/** By name; of several versions all. */
export const packagesOf = (options: DocsOptions): InstalledPackage[] =>
  [
    ...npmPackages(options),
    ...options.python.flatMap(pythonPackages),
    ...cargoPackages(options),
    ...goPackages(options),
  ].sort((left, right) => left.name.localeCompare(right.name));

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const readmeIn = (folder: string): { readme?: string } => {
  const found = names(folder).find((name) => /^readme(\.(md|rst|txt))?$/i.test(name));
  return found === undefined ? {} : { readme: path.join(folder, found) };
};

function npmPackages({ workspace }: DocsOptions): InstalledPackage[] {
  const root = path.join(workspace, "node_modules");
  const folders = names(root).flatMap((name) =>
    name.startsWith("@") ? names(path.join(root, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  return folders.flatMap((name) => {
    const folder = path.join(root, name);
    const found = /"version"\s*:\s*"([^"]+)"/.exec(text(path.join(folder, "package.json")));
    return found?.[1] === undefined
      ? []
      : [{ kind: "npm" as const, name, version: found[1], folders: [folder], ...readmeIn(folder) }];
  });
}

function pythonPackages(site: string): InstalledPackage[] {
  return names(site).flatMap((info) => {
    if (!info.endsWith(".dist-info")) return [];
    const metadata = path.join(site, info, "METADATA");
    const head = text(metadata);
    const name = /^Name: (.+)$/m.exec(head)?.[1]?.trim();
    const version = /^Version: (.+)$/m.exec(head)?.[1]?.trim();
    if (name === undefined || version === undefined) return [];
    // What it brought, by the first part of each path.
    const record = text(path.join(site, info, "RECORD")).split("\n");
    const tops = new Set(record.map((line) => line.split(/[/,]/)[0] ?? "").filter((top) => /^[\w.-]+$/.test(top)));
    const folders = [...tops].filter((top) => !/\.dist-info$|^__|^\.\.?$/.test(top)).map((top) => path.join(site, top));
    return [
      { kind: "python" as const, name, version, folders: folders.filter((each) => existsSync(each)), readme: metadata },
    ];
  });
}

function cargoPackages({ workspace, cargo }: DocsOptions): InstalledPackage[] {
  const lock = text(path.join(workspace, "Cargo.lock"));
  return [...lock.matchAll(/^name = "([^"\n]+)"\nversion = "([^"\n]+)"/gm)].flatMap(([, name = "", version = ""]) => {
    const folder = cargo.map((each) => path.join(each, `${name}-${version}`)).find((each) => existsSync(each));
    return folder === undefined
      ? []
      : [{ kind: "cargo" as const, name, version, folders: [folder], ...readmeIn(folder) }];
  });
}

function goPackages({ workspace, go }: DocsOptions): InstalledPackage[] {
  if (go === undefined) return [];
  const required = text(path.join(workspace, "go.mod")).matchAll(
    /^\s*(?:require\s+)?([\w.-]+\.[\w./~-]+)\s+(v[\w.+-]+)/gm,
  );
  return [...required].flatMap(([, name = "", version = ""]) => {
    // The cache writes capitals as ! and the small letter.
    const folder = path.join(
      go,
      `${name}@${version}`.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`),
    );
    return existsSync(folder) ? [{ kind: "go" as const, name, version, folders: [folder], ...readmeIn(folder) }] : [];
  });
}
