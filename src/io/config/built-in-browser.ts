// The browser that a person has switched on, with the hosts that it reaches.
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { classifyHost } from "../../base/address.ts";
import { splitHost } from "../../base/host-pattern.ts";
import type { BrowserOptions } from "../built-in/browser/spec.ts";
import { packageFolder } from "../built-in/place.ts";
import type { McpServer } from "../mcp/spec.ts";
import { programOnPath } from "../toolchain/program-on-path.ts";
import { builtInServer, type Here } from "./built-in-server.ts";
import type { Settings } from "./settings.ts";

// The whole Chromium opens a socket of a kind that no sandboxed process may have; the one without windows does not.
const browsers = ["chromium-headless-shell", "headless_shell", "chrome-headless-shell"];

export function browserServer({ browser }: Settings, { workspace, env, notices }: Here): McpServer[] {
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
  if (packageFolder("playwright-core") === undefined)
    return missing("the package playwright-core is not installed beside fettle");
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
