// What of the machine no sandboxed process may see: sockets, temporary files of others, other homes, secrets of root.
import { accessSync, constants, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { anyError, withFallback } from "../../base/fallback.ts";

export const below = (root: string, file: string): boolean =>
  file === root || file.startsWith(root.endsWith("/") ? root : `${root}/`);

export function real(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    // Nothing there: nothing to show or to cover.
    return undefined;
  }
}

export const asRoot = (): boolean => process.getuid?.() === 0;

/** What only root could read anyway. An empty folder of these has nothing to hide and needs no cover. */
const rootsFolders = (
  "/root /home /etc/ssl/private /etc/letsencrypt /etc/wireguard /etc/NetworkManager/system-connections " +
  "/etc/kubernetes /etc/rancher /etc/docker /etc/openvpn /var/spool/cron /var/lib/docker /var/lib/kubelet"
).split(" ");
const passwordFiles = ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-"];
const rootsFiles = ["/etc/krb5.keytab", "/etc/security/opasswd", "/var/cache/debconf/passwords.dat"];

/** Whether an account or group of a password file has a password: most of a container's have none, and it is no secret. */
export const holdsPassword = (text: string): boolean =>
  text.split("\n").some((line) => /[^!*x]/.test(line.split(":")[1] ?? ""));

/** An answer that holds while the file or folder is the same one, unchanged. */
class Remembered<T> {
  readonly #known = new Map<string, { seal: string; value: T }>();
  readonly #look: (file: string) => T;

  constructor(look: (file: string) => T) {
    this.#look = look;
  }

  of(file: string): T | undefined {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) return undefined;
    const seal = `${stats.dev} ${stats.ino} ${stats.ctimeMs}`;
    const known = this.#known.get(file);
    if (known?.seal === seal) return known.value;
    const value = this.#look(file);
    this.#known.set(file, { seal, value });
    return value;
  }
}

/** Unreadable counts as hidden already: the sandbox has no more rights than this process. */
const reading = <T>(read: () => T, otherwise: T): T => withFallback(otherwise, anyError, () => read());

const filled = new Remembered((folder) => reading(() => readdirSync(folder).length > 0, false));
const secret = new Remembered((file) => reading(() => holdsPassword(readFileSync(file, "utf8")), false));
const hostKeys = new Remembered((folder) =>
  reading(() => readdirSync(folder).filter((name) => /^ssh_host_.*_key$/.test(name)), []).map((name) =>
    path.join(folder, name),
  ),
);

/** What everybody may read is no secret. What is not, others than root may read, too: by a group, or as its owner. */
function mayTell(file: string): boolean {
  if (asRoot()) return true;
  const stats = statSync(file, { throwIfNoEntry: false });
  return (
    stats !== undefined && (stats.mode & 0o004) === 0 && reading(() => (accessSync(file, constants.R_OK), true), false)
  );
}

/** Files that are not for everybody, with something secret in them. */
export function rootsSecrets(): string[] {
  const files = rootsFiles.filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0);
  const all = [...passwordFiles.filter((file) => secret.of(file)), ...files, ...(hostKeys.of("/etc/ssh") ?? [])];
  return all.filter(mayTell);
}

/** Folders that hold sockets, other programs' temporary files and the person's secrets. */
export function hiddenFolders(home: string): string[] {
  const always = ["/run", "/tmp", "/var/tmp", "/var/run", home];
  const wanted = [...always, ...rootsFolders.filter((folder) => mayTell(folder) && filled.of(folder))];
  const found = new Set(wanted.flatMap((folder) => real(folder) ?? []));
  found.delete("/");
  return [...found].filter((folder) => ![...found].some((other) => other !== folder && below(other, folder)));
}
