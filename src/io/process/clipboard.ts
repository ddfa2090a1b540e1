// An image that a person has copied, and pastes in the terminal that they sit at. The desktop's own programs hand it over; the person's key
// starts them, with the person's rights.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** `wanted`: the package that would read the clipboard of this desktop; absent where there is none that could. */
export type CopiedImage = { file: string } | { none: true } | { unread: true; wanted?: string };

interface Reader {
  wanted: string;
  program: string;
  kinds: readonly string[];
  image(kind: string): readonly string[];
}

const formats = [
  { kind: "image/png", ending: "png", head: "89504e47" },
  { kind: "image/jpeg", ending: "jpg", head: "ffd8ff" },
  { kind: "image/gif", ending: "gif", head: "47494638" },
  { kind: "image/webp", ending: "webp", head: "52494646" },
];
export const imageKinds: readonly string[] = formats.map(({ kind }) => kind);
const mostBytes = 20 * 1024 * 1024;
const patienceMs = 3_000;

const wayland: Reader = {
  wanted: "wl-clipboard",
  program: "wl-paste",
  kinds: ["--list-types"],
  image: (kind) => ["--no-newline", "--type", kind],
};
const x11: Reader = {
  wanted: "xclip",
  program: "xclip",
  kinds: ["-selection", "clipboard", "-target", "TARGETS", "-out"],
  image: (kind) => ["-selection", "clipboard", "-target", kind, "-out"],
};

export async function copiedImage(env: NodeJS.ProcessEnv): Promise<CopiedImage> {
  const readers = [...(env["WAYLAND_DISPLAY"] ? [wayland] : []), ...(env["DISPLAY"] ? [x11] : [])];
  let told = false;
  for (const reader of readers) {
    const kinds = await output(reader.program, reader.kinds, env);
    // Without a program there is no answer; an empty clipboard ends it with an error.
    if (kinds === "missing") continue;
    told = true;
    const found = formats.find(({ kind }) =>
      String(kinds ?? "")
        .split(/\s+/)
        .includes(kind),
    );
    const bytes = found && (await output(reader.program, reader.image(found.kind), env));
    if (bytes && bytes !== "missing") {
      const file = keepImage(bytes);
      if (file !== undefined) return { file };
    }
  }
  const [first] = readers;
  return told ? { none: true } : { unread: true, ...(first && { wanted: first.wanted }) };
}

let folder: string | undefined;
let count = 0;

/** A file of its own, which goes with the process; undefined: these bytes are no image. */
export function keepImage(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  const format = formats.find((each) => head.startsWith(each.head));
  if (!format || bytes.length > mostBytes) return undefined;
  if (folder === undefined) {
    const made = mkdtempSync(path.join(os.tmpdir(), "fettle-pasted-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  count += 1;
  const file = path.join(folder, `image-${count}.${format.ending}`);
  writeFileSync(file, bytes, { mode: 0o600 });
  return file;
}

/** Undefined: it failed. No program of the folder that is worked in stands in for the desktop's. */
function output(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Buffer | "missing" | undefined> {
  const own = process.cwd() + path.sep;
  const folders = (env["PATH"] ?? "").split(path.delimiter);
  const found = folders.filter(
    (each) => path.isAbsolute(each) && !`${path.normalize(each)}${path.sep}`.startsWith(own),
  );
  const options = {
    encoding: "buffer" as const,
    env: { ...env, PATH: found.join(path.delimiter) },
    maxBuffer: mostBytes,
    timeout: patienceMs,
  };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, bytes) => {
      if (error && "code" in error && error.code === "ENOENT") resolve("missing");
      else resolve(error ? undefined : bytes);
    });
  });
}
