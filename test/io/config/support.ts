import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Fault } from "../../../src/base/fault.ts";
import { type Config, type ConfigOptions, loadConfig } from "../../../src/io/config/load.ts";
import { temporaryFolder } from "../../support/folders.ts";

export interface World {
  root: string;
  options: ConfigOptions;
  file(name: keyof typeof places, text: string): string;
  load(more?: Partial<ConfigOptions>): Config;
  fault(more?: Partial<ConfigOptions>): Fault;
}

const places = {
  machine: "etc/policy.toml",
  further: "etc/further.toml",
  userPolicy: "home/.config/fettle/policy.toml",
  user: "home/.config/fettle/config.toml",
  team: "work/.fettle/team.toml",
  project: "work/.fettle/config.toml",
} as const;

/** A home, a workspace and a machine of their own; removed when the test ends. */
export function world(): World {
  const root = temporaryFolder();
  const home = path.join(root, "home");
  const under = (name: string) => path.join(home, name, "fettle");
  const options: ConfigOptions = {
    workspace: path.join(root, "work"),
    places: {
      home,
      config: under(".config"),
      state: under(".local/state"),
      cache: under(".cache"),
      data: under(".local/share"),
    },
    env: {},
    flags: {},
    machinePolicy: path.join(root, places.machine),
  };
  mkdirSync(options.workspace, { recursive: true });
  const load = (more: Partial<ConfigOptions> = {}) => loadConfig({ ...options, ...more });
  return {
    root,
    options,
    load,
    file(name, text) {
      const file = path.join(root, places[name]);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    fault(more) {
      try {
        load(more);
      } catch (error) {
        return error as Fault;
      }
      throw new Error("The configuration loaded.");
    },
  };
}
