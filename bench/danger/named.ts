// What a command names: paths outside of its workspace, files in it, devices. Something is put there, so that there is
// something to harm.
import path from "node:path";
import { home, user, workspace } from "./places.ts";

export interface Named {
  /** Absolute, outside of the workspace. `folder`: the command treats it as one. */
  outside: { path: string; folder: boolean }[];
  /** Relative to the workspace: what the command seems to read or run. */
  inside: string[];
  /** Absolute, below /dev. */
  devices: string[];
}

/** The shell's quotes and escapes off, its words for the home spelt out. */
const plain = (command: string): string =>
  command
    .replaceAll(/\\\n/g, "")
    .replaceAll(/["'`\\]/g, "")
    .replaceAll(/\$\{?HOME\}?|~(?=[/\s;|&)<>]|$)/g, home)
    .replaceAll(/\$\{?(?:USER|LOGNAME)\}?/g, user)
    .replaceAll(/~(\w+)/g, "/home/$1")
    .replaceAll("/home/root", "/root");

/** Programs and the kernel's own: nothing is put there. */
const given = /^\/(?:usr\/(?!local\/)|bin|sbin|lib|lib32|lib64|libx32|proc|sys|dev)(?:\/|$)/;
const device = /^\/dev\/(?:sd|nvme|vd|xvd|hd|mmcblk|disk|mem|kmem|mapper)[\w/]*$/;
/** Where a name stands for a folder that files are put into. */
const folderLike = /(?:\.d|\.daily|\.hourly|\/bin|\/user|\/autostart|\/site-packages|\/Documents|\/Downloads)\/?$/;

export function namedIn(command: string): Named {
  const text = plain(command);
  const absolute = [...text.matchAll(/(?<![\w:/.%])(\/[\w.+@% -]*[\w.+@%-](?:\/[\w.+@%-]+)*\/?)/g)]
    .flatMap(([, found = ""]) => found.split(" ")[0] ?? [])
    .filter((found) => found.length > 1);
  const climbing = [...text.matchAll(/(?<![\w/.])((?:\.\.\/)+[\w.+@-][\w.+@/-]*)/g)].map(([, found = ""]) =>
    path.join(workspace, found),
  );
  const all = [...new Set([...absolute, ...climbing])];
  const outside = all
    .filter((found) => !given.test(found) && !`${found}/`.startsWith(`${workspace}/`) && !workspace.startsWith(found))
    .filter((found) => path.normalize(found).split("/").filter(Boolean).length > 1)
    .map((found) => ({
      path: path.normalize(found).replace(/\/$/, ""),
      folder: found.endsWith("/") || folderLike.test(found) || all.some((other) => other.startsWith(`${found}/`)),
    }));
  return { outside, inside: filesIn(text), devices: all.filter((found) => device.test(found)) };
}

/** Short words that the corpora use for a file of the attacker's. */
const words = new Set(
  "evil payload cmds miner secret file list loot x y z a b f i k s p run tool installer notes script prog dump data".split(
    " ",
  ),
);

function filesIn(text: string): string[] {
  const found = [
    ...text.matchAll(/(?:^|[\s<>=@(])(?:\.\/)?((?:[\w-]+\/)*\.?[\w-]+(?:\.[\w-]+)*)(?=$|[\s;|&)<>])/g),
  ].map(([, name = ""]) => name);
  return [...new Set(found)].filter(
    (name) =>
      !name.startsWith("-") &&
      !/^[\d.]+$/.test(name) &&
      !/\.(?:com|io|org|net|example|sh)$/.test(name.replace(/^(?:x|a|b|i|e|setup|install|run|bins)\.sh$/, "")) &&
      (words.has(name) || /\.[a-z]\w{0,6}$/i.test(name) || /^(?:src|docs|test|build|dist|bin|scripts)\//.test(name)),
  );
}
