// The built-in plugins that a person has switched on, as servers with a process of their own.
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { classifyHost } from "../../base/address.ts";
import { splitHost } from "../../base/host-pattern.ts";
import type { BrowserOptions } from "../built-in/browser/spec.ts";
import { packageFolder } from "../built-in/place.ts";
import { knownLanguages } from "../built-in/code/known.ts";
import type { LanguageServer, LanguagesOptions } from "../built-in/code/spec.ts";
import type { McpServer } from "../mcp/spec.ts";
import { programOnPath } from "../toolchain/program-on-path.ts";
import { databaseServers } from "./built-in-databases.ts";
import { builtInServer, type Here } from "./built-in-server.ts";
import type { Settings } from "./settings.ts";

export const builtInServers = (settings: Settings, here: Here): McpServer[] => [
  ...codeServer(settings, here),
  ...databaseServers(settings, here),
  ...browserServer(settings, here),
];

function codeServer({ code }: Settings, { workspace, env, notices }: Here): McpServer[] {
  if (!code.enabled) return [];
  const servers = Object.entries(knownLanguages).flatMap(([language, { programs }]): LanguageServer[] => {
    const named = code.servers[language];
    for (const command of named ? [named] : programs) {
      const [name = "", ...args] = command;
      // Nothing that the repository brings is started: who wants its own server names it.
      const found = path.isAbsolute(name) ? name : programOnPath(name, env, workspace);
      if (found !== undefined) return [{ language, command: [found, ...args] }];
    }
    if (named) notices.push(`code.servers.${language}: ${named[0] ?? "nothing"} is not found, so it is not used.`);
    return [];
  });
  if (servers.length === 0) {
    const names = Object.values(knownLanguages).map(({ programs }) => programs[0]?.[0] ?? "");
    notices.push(`code.enabled is true, but no language server is found (${names.join(", ")}).`);
    return [];
  }
  const options: LanguagesOptions = { workspace: realpathSync(workspace), servers, memoryMb: code.memory_mb };
  const programs = servers.map((server) => server.command[0] ?? "");
  return [builtInServer("code", { options, read: [workspace], more: { programs } })];
}

// The whole Chromium opens a socket of a kind that no sandboxed process may have; the one without windows does not.
const browsers = ["chromium-headless-shell", "headless_shell", "chrome-headless-shell"];

function browserServer({ browser }: Settings, { workspace, env, notices }: Here): McpServer[] {
  if (!browser.enabled) return [];
  const missing = (what: string) => {
    notices.push(`browser.enabled is true, but ${what}.`);
    return [];
  };
  const names = browser.program === undefined ? browsers : [browser.program];
  const [program] = names.flatMap((name) =>
    path.isAbsolute(name) ? (existsSync(name) ? [name] : []) : (programOnPath(name, env, workspace) ?? []),
  );
  if (program === undefined) return missing(`there is no program ${names.join(", ")}`);
  if (packageFolder("playwright-core") === undefined) return missing("the package playwright-core is not installed");
  if (browser.hosts.length === 0) return missing("browser.hosts is empty, so it reaches nothing");
  const pictures = browser.pictures === undefined ? undefined : path.resolve(workspace, browser.pictures);
  if (pictures !== undefined && !existsSync(pictures))
    notices.push(`browser.pictures: ${browser.pictures} is not there, so no picture is kept.`);
  const folder = pictures !== undefined && existsSync(pictures) ? realpathSync(pictures) : undefined;
  const options: BrowserOptions = { program, ...(folder !== undefined && { pictures: folder }) };
  // What is done to a page of this machine is done to what the person works on.
  const own = browser.hosts.every((host) => classifyHost(splitHost(host).name) === "loopback");
  return [
    builtInServer("browser", {
      ...{ options, hosts: [...browser.hosts], write: folder === undefined ? [] : [folder] },
      more: { programs: [program], packages: ["playwright-core"], foreign: true, ...(own && { ownHosts: true }) },
      ...(own && { classes: { click: "reversible", type: "reversible" } }),
    }),
  ];
}
