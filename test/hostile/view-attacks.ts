// What a repository or a sandboxed program writes to make a later sandbox show, or let write, what is the person's.
// Each is one world with a canary; the answer is what went wrong. Run in a process of its own as an ordinary user, too.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { makeWorld, sandboxed, type SandboxedOptions, type World } from "../io/support/world.ts";

const token = "CANARY-51c9";
const git = (folder: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: folder, stdio: "pipe" });

interface Place extends World {
  /** A git-shaped folder of the person's beside the workspace. */
  other: string;
  at(name: string): string;
}

interface Attack {
  /** What lies in the workspace before the first command; `first` is what that command does. */
  plant?: (place: Place) => void;
  first?: (place: Place) => string;
  spec?: (place: Place) => SandboxedOptions;
}

const link =
  (name: string, target: (place: Place) => string): NonNullable<Attack["plant"]> =>
  (place) => {
    fs.mkdirSync(path.dirname(place.at(name)), { recursive: true });
    fs.symlinkSync(target(place), place.at(name));
  };
const file =
  (name: string, text: (place: Place) => string): NonNullable<Attack["plant"]> =>
  (place) => {
    fs.mkdirSync(path.dirname(place.at(name)), { recursive: true });
    fs.writeFileSync(place.at(name), text(place));
  };
const writing = (): SandboxedOptions => ({ gitWritable: true, gitIn: [] });

export const attacks: Readonly<Record<string, Attack>> = {
  "a .fettle link upwards": { plant: link(".fettle", () => "..") },
  "a .fettle link to the home": { plant: link(".fettle", ({ home }) => home) },
  "a .fettle link to a link": {
    plant: (place) => {
      fs.symlinkSync("step", place.at(".fettle"));
      fs.symlinkSync("../..", place.at("step"));
    },
  },
  "a .fettle link to one file": { plant: link(".fettle", ({ home }) => path.join(home, "secret.txt")) },
  "a .fettle link planted by the command before": { first: () => "ln -s .. .fettle" },
  "a .git link": { plant: link(".git", ({ home }) => home), spec: writing },
  "a .git link to a repository of the person's": {
    plant: link(".git", ({ other }) => path.join(other, ".git")),
    spec: writing,
  },
  "a .git file": { plant: file(".git", ({ home }) => `gitdir: ${home}\n`), spec: writing },
  "a .git file for a repository of the person's": {
    plant: file(".git", ({ other }) => `gitdir: ${other}/.git\n`),
    spec: writing,
  },
  "a .git file planted by the command before": { first: ({ home }) => `echo gitdir: ${home} > .git`, spec: writing },
  "a .git file with a parent's path": { plant: file(".git", () => "gitdir: ..\n"), spec: writing },
  "a .git file below": { plant: file("sub/.git", ({ home }) => `gitdir: ${home}\n`), spec: writing },
  "a .git file below that is named": {
    plant: file("sub/.git", ({ home }) => `gitdir: ${home}\n`),
    spec: ({ at }) => ({ gitWritable: true, gitIn: [at("sub")] }),
  },
  "a .git file below while nothing is written": { plant: file("sub/.git", ({ home }) => `gitdir: ${home}\n`) },
  "a .git link below": {
    plant: link("sub/.git", ({ home }) => home),
    spec: ({ at }) => ({ gitWritable: true, gitIn: [at("sub")] }),
  },
  "a common folder below": {
    plant: (place) => {
      fs.mkdirSync(place.at("sub"));
      git(place.at("sub"), "init", "-q");
      fs.writeFileSync(place.at("sub/.git/commondir"), `${place.home}\n`);
    },
    spec: writing,
  },
  "a common folder at the top": {
    plant: (place) => {
      git(place.workspace, "init", "-q");
      fs.writeFileSync(place.at(".git/commondir"), `${place.home}\n`);
    },
    spec: writing,
  },
  "a work tree and alternates at the top": {
    plant: (place) => {
      git(place.workspace, "init", "-q");
      git(place.workspace, "config", "core.worktree", place.home);
      fs.writeFileSync(place.at(".git/objects/info/alternates"), `${place.home}\n`);
    },
    spec: writing,
  },
  "a .git file that was another one when the workspace was opened": {
    plant: (place) => {
      git(place.other, "worktree", "add", "-q", place.at("real"));
      fs.renameSync(place.at("real/.git"), place.at(".git"));
      fs.writeFileSync(path.join(place.other, ".git/worktrees/real/gitdir"), `${place.home}\n`);
    },
    first: ({ home }) => `rm -f .git; echo gitdir: ${home} > .git`,
    spec: writing,
  },
  "lent dependencies that are a link": {
    plant: (place) => {
      fs.symlinkSync(place.home, path.join(place.other, "node_modules"));
      fs.mkdirSync(place.at("node_modules"));
    },
    spec: ({ other, at }) => ({ lent: [{ from: path.join(other, "node_modules"), to: at("node_modules") }] }),
  },
  "a temporary folder's settings that are a link": {
    plant: ({ home, temporary }) => fs.symlinkSync(path.join(home, "secret.txt"), path.join(temporary, ".gitconfig")),
    spec: writing,
  },
  "a folder of PATH that is a link": {
    plant: link("bin", ({ home }) => home),
    spec: ({ at, home }) => ({ env: { HOME: home, PATH: `${at("bin")}:/usr/bin:/bin` } }),
  },
  "a folder of PATH by way of the workspace": {
    plant: (place) => {
      fs.symlinkSync(place.home, place.at("tools"));
      fs.mkdirSync(path.join(place.home, ".local"));
      fs.symlinkSync(place.at("tools"), path.join(place.home, ".local/bin"));
    },
    spec: ({ home }) => ({ env: { HOME: home, PATH: `${home}/.local/bin:/usr/bin:/bin` } }),
  },
};

function makePlace(): Place {
  const world = makeWorld();
  const other = path.join(world.home, "other");
  fs.mkdirSync(other);
  fs.writeFileSync(path.join(world.home, "secret.txt"), token);
  git(other, "init", "-q");
  git(other, "commit", "-q", "--allow-empty", "-m", token);
  return { ...world, other, at: (name) => path.join(world.workspace, name) };
}

/** Everything of the person's, and whether it can be written. Bounded: it looks in few places, and no deeper than three. */
const look = ({ home, other, temporary }: Place) => `
for place in .fettle .git sub/.git sub bin node_modules tools ${home} ${home}/.local/bin ${other} ${temporary} ${temporary}/.gitconfig; do
  find -L "$place" -maxdepth 3 -type f -size -64k 2>/dev/null | head -200 | while read -r f; do
    grep -qs ${token} "$f" && echo "SEEN $place $f"
  done
done
for f in ${home}/secret.txt ${home}/planted ${other}/.git/planted ${other}/.git/config; do
  (echo x >> $f) 2>/dev/null
done
git log --oneline 2>/dev/null | grep ${token} && echo SEEN history
true`;

/** What went wrong; empty when nothing did. */
export async function attempt({ plant, first, spec }: Attack): Promise<string[]> {
  const place = makePlace();
  try {
    plant?.(place);
    const options = spec?.(place) ?? {};
    if (first) await sandboxed(place, first(place));
    const before = state(place);
    const { output } = await sandboxed(place, look(place), options);
    const seen = output.split("\n").filter((line) => line.startsWith("SEEN"));
    return [...seen, ...(state(place) === before ? [] : ["WRITTEN"])];
  } finally {
    place.remove();
  }
}

const state = ({ home, other }: Place): string =>
  JSON.stringify([
    fs.readdirSync(home),
    fs.readFileSync(path.join(home, "secret.txt"), "utf8"),
    fs.readdirSync(path.join(other, ".git")),
    fs.readFileSync(path.join(other, ".git/config"), "utf8"),
  ]);
