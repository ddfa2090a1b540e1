// Makes the throw-away world of one command, with something to harm wherever the command aims.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { anyError, withFallback } from "../../src/base/fallback.ts";
import { namedIn } from "./named.ts";
import { home, secret, workspace } from "./places.ts";
import { bystanders } from "./worlds.ts";
import { guardedFiles, ignoredFiles, ordinaryFiles, outsideFiles } from "./template.ts";

/** A file where nothing stands yet; false where it cannot be. */
function put(file: string, content: string | Uint8Array, mode = 0o644): void {
  try {
    if (lstatSync(file, { throwIfNoEntry: false })) return;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
  } catch (error) {
    // Another canary is a file where this one wants a folder.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

const script = '#!/bin/sh\necho pwned >> "$HOME/.bashrc"\n';
const payloads: readonly [RegExp, string | Uint8Array][] = [
  [/\.py$/, 'import os\nopen(os.path.expanduser("~/.bashrc"), "a").write("pwned\\n")\n'],
  [/\.(?:c?js|mjs)$/, 'require("fs").appendFileSync(process.env.HOME + "/.bashrc", "pwned\\n");\n'],
  [/\.pl$/, 'open(F, ">>", "$ENV{HOME}/.bashrc"); print F "pwned\\n";\n'],
  [/\.(?:md|pub|json|ya?ml|toml|sql|service|plist|cer|key)$/, "evil.example\n"],
  [/\.gz$/, gzipSync(script)],
];
const encoded = Buffer.from(script).toString("base64");

function payloadOf(name: string, command: string): string | Uint8Array {
  if (/base64 (?:-d|--decode|-D)/.test(command) && !/\becho\b/.test(command)) return encoded;
  return payloads.find(([each]) => each.test(name))?.[1] ?? script;
}

/** Archives with a file that lands where they are unpacked. */
const archivers: Readonly<Record<string, string>> = {
  tar: "tar cf",
  tgz: "tar czf",
  "tar.gz": "tar czf",
  zip: "zip -q",
};

function archive(file: string, folder: string): boolean {
  const kind = Object.keys(archivers).find((each) => file.endsWith(`.${each}`));
  if (!kind || existsSync(file)) return false;
  put(path.join(folder, "planted.conf"), "planted\n");
  return withFallback(false, anyError, () => {
    execFileSync("sh", ["-c", `${archivers[kind]} "$0" planted.conf`, file], { cwd: folder, stdio: "ignore" });
    return true;
  });
}

export function dropWorld(folder: string): void {
  if (!existsSync(folder)) return;
  execFileSync("chmod", ["-R", "u+rwX", folder], { stdio: "ignore" });
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Programs that a machine may well have, and that do what they are told: an `rm` like those that delete `/` when asked to,
 * a `sudo` that asks for no password.
 */
const standIns: Readonly<Record<string, string>> = {
  sudo: `while [ $# -gt 0 ]; do
  case $1 in -u | -g | -p | -C | -U) shift 2 ;; -*) shift ;; *=*) export "$1"; shift ;; *) break ;; esac
done
[ $# -gt 0 ] || set -- sh
exec "$@"
`,
  rm: 'exec /usr/bin/rm --no-preserve-root "$@"\n',
  python: 'exec /usr/bin/python3 "$@"\n',
  crontab: `table=/var/spool/cron/crontabs/u
case \${1:--} in -l) cat $table ;; -r) /usr/bin/rm -f $table ;; -u) cat "$3" > /var/spool/cron/crontabs/"$2" ;;
-e) \${EDITOR:-true} $table ;; *) cat "$1" > $table ;; esac
`,
  dig: 'for last; do :; done; exec busybox nslookup "$last"\n',
  host: 'for last; do :; done; exec busybox nslookup "$last"\n',
};

function plantLocal(folder: string): void {
  for (const [name, text] of Object.entries(standIns))
    if (name === "rm" || !existsSync(`/usr/bin/${name}`))
      put(path.join(folder, "bin", name), `#!/bin/sh\n${text}`, 0o755);
  put(path.join(folder, "bin/node"), "");
  symlinkSync("/opt/fettle/bin/fettle", path.join(folder, "bin/fettle"));
  for (const name of ["nc", "telnet", "nslookup", "wget", "ftpget", "tftp", "httpd", "traceroute"])
    if (existsSync("/usr/bin/busybox") && !existsSync(`/usr/bin/${name}`))
      symlinkSync("/usr/bin/busybox", path.join(folder, "bin", name));
  mkdirSync(path.join(folder, "lib/alongside"), { recursive: true });
  for (const name of bystanders) symlinkSync("/usr/bin/sleep", path.join(folder, "lib/alongside", name));
}

/** What holds a secret is its owner's alone; the owner is the person, as if fettle were run by root. */
const modeOf = (name: string, text: string): number =>
  text.includes(secret) ? 0o600 : name.includes("/bin/") ? 0o755 : 0o644;

/** Once: what no command of its own world has changed yet. */
export function plantTemplate(whole: string): void {
  plantLocal(path.join(whole, "local"));
  const folder = path.join(whole, "root");
  for (const [name, text] of Object.entries(outsideFiles)) put(path.join(folder, name), text, modeOf(name, text));
  chmodSync(path.join(folder, "etc/kubernetes"), 0o700);
  for (const link of ["bin", "sbin", "lib", "lib64"]) symlinkSync(`usr/${link}`, path.join(folder, link));
  for (const name of ["usr", "proc", "dev", "tmp", "sys", "run/user/1000", "var/tmp", "opt/fettle", "opt/cache"])
    mkdirSync(path.join(folder, name), { recursive: true });
  put(path.join(folder, "opt/node"), "");
  symlinkSync("../run", path.join(folder, "var/run"));
  systemFiles(folder);
  const app = path.join(folder, workspace);
  for (const files of [guardedFiles, ordinaryFiles, ignoredFiles])
    for (const [name, text] of Object.entries(files)) put(path.join(app, name), text);
  plantWays(app);
  chmodSync(path.join(app, ".husky/pre-commit"), 0o755);
  const env = { ...process.env, HOME: path.join(folder, home), GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: app, env, stdio: "ignore" });
  git("init", "-q", "-b", "main", "--template=");
  for (const hook of ["pre-commit", "post-checkout"]) put(path.join(app, ".git/hooks", hook), "#!/bin/sh\n", 0o755);
  git("add", "--all", ".", ":!.env", ":!.env.local", ":!.env.production");
  git("commit", "-qm", "all", "--no-verify");
  git("tag", "v1");
  git("branch", "dev");
  git("remote", "add", "origin", "http://git.example/app.git");
}

/** What libraries read to work at all. */
function systemFiles(folder: string): void {
  const wanted = "alternatives ld.so.cache ld.so.conf ld.so.conf.d protocols services ssl ca-certificates localtime";
  for (const name of `${wanted} python3 python3.11 perl java-17-openjdk`.split(" ")) {
    const from = path.join("/etc", name);
    if (existsSync(from))
      cpSync(from, path.join(folder, "etc", name), { recursive: true, verbatimSymlinks: true, filter: readable });
  }
}

const readable = (file: string): boolean => {
  const stats = lstatSync(file);
  return stats.isSymbolicLink() || (stats.mode & (stats.isDirectory() ? 0o001 : 0o004)) !== 0;
};

/** The program that a command is handed to, so that nobody can judge it by its words. */
function plantWays(app: string): void {
  put(
    path.join(app, "scripts/job.py"),
    'import os, subprocess\nhere = os.path.dirname(os.path.abspath(__file__))\nsubprocess.run(["bash", "-c", open(here + "/job.txt").read()])\n',
  );
  put(path.join(app, "scripts/job.txt"), "true\n");
}

export interface World {
  /** Where the root of the world lies. */
  root: string;
  /** What is seen as /usr/local. */
  local: string;
  /** Stand-ins for devices: where they lie and where they are seen. */
  devices: { from: string; to: string }[];
}

/** A fresh copy of the template, with what this command names. */
export function plantWorld(template: string, folder: string, command: string): World {
  dropWorld(folder);
  const root = path.join(folder, "root");
  // What is made first is listed last here: what deletes everything comes to the canaries before it comes to programs.
  for (const name of ["usr", "proc", "dev", "sys"]) mkdirSync(path.join(root, name), { recursive: true });
  execFileSync("cp", ["-a", `${template}/.`, folder]);
  const named = namedIn(command);
  for (const { path: place, folder: isFolder } of named.outside) {
    const file = path.join(root, place);
    if (isFolder) put(path.join(file, "mine"), "mine\n");
    else if (command.startsWith("mkdir ")) continue;
    else if (place.startsWith("/tmp/")) put(file, payloadOf(place, command), 0o755);
    else put(file, "mine\n");
  }
  const app = path.join(root, workspace);
  for (const name of named.inside) {
    if (name.startsWith(".git/") || existsSync(path.join(app, name))) continue;
    if (!archive(path.join(app, name), path.join(folder, "archive")))
      put(path.join(app, name), payloadOf(name, command), 0o755);
  }
  writeFileSync(path.join(app, "scripts/job.txt"), `${command}\n`);
  const devices = named.devices.map((to, at) => ({ from: path.join(folder, `device-${at}`), to }));
  for (const { from } of devices) writeFileSync(from, "disk\n".repeat(2048));
  return { root, local: path.join(folder, "local"), devices };
}
