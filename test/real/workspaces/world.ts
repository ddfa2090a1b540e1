// A planted workspace behind the real fence with layers, and looks at everything that must stay as it is.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { openLayers } from "../../../src/io/layers/layers.ts";
import { OwnFiles } from "../../../src/io/layers/own-files.ts";
import { GrantError } from "../../../src/guard/contract/grant.ts";
import type { ProcessExit } from "../../../src/io/process/spec.ts";
import { assessment, effect } from "../../guard/assessments.ts";
import { openWorld } from "../../guard/world.ts";
import type { Random } from "../random.ts";

export const hidden = {
  outside: "CANARY-OUT-5e81",
  home: "CANARY-HOME-c09a",
  own: "CANARY-OWN-77d1",
  masked: "hunter2-masked-31ab",
};

/** Path to what it is: type, rights, and content or target. */
export function look(folder: string, below = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(path.join(folder, below)).toSorted()) {
    const relative = path.join(below, name);
    const at = path.join(folder, relative);
    const stat = lstatSync(at);
    if (stat.isDirectory()) {
      found.set(relative, "folder");
      for (const [inner, what] of look(folder, relative)) found.set(inner, what);
    } else if (stat.isSymbolicLink()) found.set(relative, `link ${readlinkSync(at)}`);
    else if (!stat.isFile()) found.set(relative, "special");
    else found.set(relative, `${stat.mode} ${createHash("sha1").update(readFileSync(at)).digest("hex")}`);
  }
  return found;
}

export const differing = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((at) => before.get(at) !== after.get(at));

export interface Ran {
  exit: ProcessExit;
  applied: string[];
}

export interface Planted {
  root: string;
  workspace: string;
  home: string;
  temporary: string;
  /** The folders beside the workspace that nothing may change. */
  aside: string[];
  run(command: string, risk?: "L0" | "L1"): Promise<Ran>;
  /** As the gate judges it: git alone, with the repository open. False where it may not. */
  commits(): Promise<boolean>;
  close(): Promise<void>;
}

export function openPlanted(random: Random): Planted {
  const masked: string[] = [];
  const made: { layers?: ReturnType<typeof openLayers>; own?: OwnFiles } = {};
  const world = openWorld({
    masked: () => masked.map((file) => ({ path: file })),
    layered: {
      layers: () => (made.layers && "layers" in made.layers ? made.layers.layers : undefined),
      get own() {
        if (!made.own) throw new Error("used before it was made");
        return made.own;
      },
      checkpoints: true,
    },
  });
  masked.push(...plant(world.root, world.workspace, random));
  made.layers = openLayers(path.join(world.root, "layers"), world.workspace);
  if (!("layers" in made.layers)) throw new Error(made.layers.why);
  made.own = new OwnFiles(world.workspace);
  return {
    root: world.root,
    workspace: world.workspace,
    home: world.home,
    temporary: world.temporary,
    aside: [path.join(world.root, "outside"), world.home, world.own],
    async run(command, risk = "L1") {
      const judged = assessment(risk, [effect("execute", "x", { part: command })], { tags: ["process"] });
      const grant = world.grant({ kind: "shell", command, background: false }, judged);
      const exit = await grant.process.run();
      return { exit, applied: exit.written?.applied ?? [] };
    },
    async commits() {
      const command = "git -c user.name=a -c user.email=a@b commit --allow-empty -q -m one";
      const effects = [effect("execute", "git", { part: command }), effect("vcs", "commit", { part: command })];
      const judged = assessment("L2", effects, { tags: ["git-alone", "process"] });
      try {
        await world.grant({ kind: "shell", command, background: false }, judged).process.run();
        return true;
      } catch (error) {
        if (error instanceof GrantError) return false;
        throw error;
      }
    },
    async close() {
      if (made.layers && "layers" in made.layers) made.layers.layers.close();
      await world.close();
    },
  };
}

const ordinary: Readonly<Record<string, string>> = {
  "src/a.js": "export const a = 1;\n",
  "src/deep/b.js": "export const b = 1;\n",
  "docs/guide.md": "# Guide\n",
  "test/run.js":
    "require('fs').readdirSync(__dirname).filter((n) => n !== 'run.js' && n.endsWith('.js')).forEach((n) => require('./' + n));\n",
  "test/one.js": "process.exitCode = 0;\n",
  "package.json": '{"name":"w","version":"1.0.0","private":true,"scripts":{"test":"node test/run.js"}}\n',
  Makefile: "all:\n\tnode test/run.js\n",
  "Cargo.toml": '[package]\nname = "w"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": "\n",
  ".gitignore": "dist\nnode_modules\ntarget\n",
  "dist/old.js": "old\n",
  "node_modules/x/index.js": "x\n",
};

/** Returns the files that are masked. */
function plant(root: string, workspace: string, random: Random): string[] {
  const put = (at: string, text: string) => {
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, text);
  };
  const inside = (name: string) => path.join(workspace, name);
  put(path.join(root, "outside/secret.txt"), `${hidden.outside}\n`);
  put(path.join(root, "outside/repo/config"), `[core]\n\tbare = false\n# ${hidden.outside}\n`);
  put(path.join(root, "outside/repo/HEAD"), "ref: refs/heads/main\n");
  for (const folder of ["objects", "refs"]) mkdirSync(path.join(root, "outside/repo", folder), { recursive: true });
  put(path.join(root, "home/.bashrc"), `# ${hidden.home}\n`);
  put(path.join(root, "home/.ssh/id_rsa"), `${hidden.home}\n`);
  put(path.join(root, "own/ledger"), `${hidden.own}\n`);
  for (const [name, text] of Object.entries(ordinary)) put(inside(name), text);
  put(inside("tool.sh"), "#!/bin/sh\ntrue\n");
  chmodSync(inside("tool.sh"), 0o755);
  const masked = [".env", "src/.env", "dist/.env", "docs/inner/.env.local"].filter(() => random.chance(0.7));
  for (const name of masked) put(inside(name), `TOKEN=${hidden.masked}\n`);
  if (random.chance(0.8)) {
    const git = (...words: string[]) =>
      execFileSync("git", ["-C", workspace, "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        stdio: "ignore",
      });
    git("init", "-q");
    git("add", "src/a.js", "docs/guide.md", "package.json", "Makefile");
    git("commit", "-q", "-m", "one");
  }
  if (random.chance(0.3)) symlinkSync("..", inside(".fettle"));
  if (random.chance(0.4)) put(inside("sub/.git"), "gitdir: ../../outside/repo\n");
  if (random.chance(0.3)) symlinkSync("../outside", inside("lead-out"));
  if (random.chance(0.3)) symlinkSync("../../outside/secret.txt", inside("src/link"));
  if (random.chance(0.2)) symlinkSync("src", inside("alias"));
  return masked.map(inside);
}
