// A program that gets a text and answers with one: input, output and errors are files that nobody else can reach, so
// /dev/stdin and /dev/stderr can be opened by name, too, and what it leaves running holds nothing open.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { readBytes } from "../files/bytes.ts";
import { runProcess } from "./run.ts";
import type { ProcessExit, ProcessSpec } from "./spec.ts";

export interface Exchange {
  exit: Omit<ProcessExit, "output" | "bytes" | "spill">;
  stdout: string;
  stderr: string;
  /** More was printed than `limit` bytes. */
  cut: boolean;
  /** Why it could not be started. */
  problem?: string;
}

type Spec = Omit<ProcessSpec, "stdin" | "onOutput" | "spill" | "spillLimit" | "head" | "tail">;

/** `make` gets the private temporary folder of the run. Never rejects for what the program does. */
export async function exchange(
  input: string,
  { limit, signal, make }: { limit: number; signal: AbortSignal; make(temporary: string): Spec },
): Promise<Exchange> {
  const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), "fettle-exchange-"));
  try {
    const [from, to, errors, temporary] = ["in", "out", "err", "tmp"].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    mkdirSync(temporary, { mode: 0o700 });
    writeFileSync(from, input, { mode: 0o600 });
    for (const file of [to, errors]) writeFileSync(file, "", { mode: 0o600 });
    const spec = make(temporary);
    const argv = ["/bin/sh", "-c", redirected, "sh", from, to, errors, ...spec.argv];
    const exit = await runProcess({ ...spec, argv, head: 4096, tail: 4096, spillLimit: 0 }, signal);
    const { output, bytes: _bytes, spill: _spill, ...ended } = exit;
    const [stdout, stderr] = await Promise.all([read(to, limit), read(errors, limit)]);
    return {
      exit: ended,
      stdout: stdout.text,
      stderr: stderr.text,
      cut: stdout.more,
      ...(exit.ended === "unstartable" && { problem: output }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const redirected = 'i=$1 o=$2 e=$3; shift 3; exec "$@" <"$i" >"$o" 2>"$e"';

async function read(file: string, limit: number): Promise<{ text: string; more: boolean }> {
  const { bytes, size } = await readBytes(file, { limit });
  return { text: new TextDecoder("utf-8").decode(bytes), more: size > limit };
}
