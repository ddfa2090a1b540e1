// What an MCP server says on stderr, and what fettle has to say of it: the last megabyte, in two files.
import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { readRegular } from "../files/regular.ts";
import { makePrivateFolder } from "../places/places.ts";

const mostBytes = 512 * 1024;

const fileOf = (folder: string, server: string): string => path.join(folder, `${server}.log`);

/** Appends; a log that cannot be written is no reason to stop. */
export function logFor(folder: string, server: string, redact: (text: string) => string): (text: string) => void {
  const file = fileOf(folder, server);
  let size: number | undefined;
  return (text) => {
    try {
      makePrivateFolder(folder);
      size ??= existsSync(file) ? statSync(file).size : 0;
      if (size > mostBytes) {
        renameSync(file, `${file}.1`);
        size = 0;
      }
      const shown = redact(text.length > mostBytes ? text.slice(-mostBytes) : text);
      appendFileSync(file, shown, { mode: 0o600 });
      size += Buffer.byteLength(shown);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  };
}

/** The end of what was logged; empty where there is nothing. */
export function readLog(folder: string, server: string, lines: number): string[] {
  const file = fileOf(folder, server);
  const text = [`${file}.1`, file].map((each) => (existsSync(each) ? readRegular(each) : "")).join("");
  return text.split("\n").filter(Boolean).slice(-lines);
}
