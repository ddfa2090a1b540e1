// What a server has to say of files as they are now.
import { setTimeout as sleep } from "node:timers/promises";
import { show, showAgain, uriOf } from "./files.ts";
import type { Running } from "./server.ts";
import type { Diagnostic } from "./spec.ts";
import { LateAnswer } from "./wire.ts";

export interface FileDiagnostics {
  file: string;
  diagnostics: Diagnostic[];
  /** Nothing came in time. */
  late?: true;
}

/** A server that sends them by itself may send a first part, and more of it soon after. */
const quietMs = 400;
const pollMs = 50;

export async function diagnosticsOf(
  running: Running,
  files: readonly string[],
  waitMs: number,
): Promise<FileDiagnostics[]> {
  const before = new Map(files.map((file) => [file, running.published.get(uriOf(file))?.count ?? 0]));
  showAgain(running);
  const changed = new Set(files.filter((file) => show(running, file)));
  const until = performance.now() + waitMs;
  if (running.capabilities.diagnosticProvider) return Promise.all(files.map((file) => pulled(running, file, waitMs)));
  return Promise.all(
    files.map(async (file): Promise<FileDiagnostics> => {
      const known = () => running.published.get(uriOf(file));
      const fresh = () => (known()?.count ?? 0) > (changed.has(file) ? (before.get(file) ?? 0) : 0);
      while (!fresh() && performance.now() < until) await sleep(pollMs);
      if (!fresh()) return { file, diagnostics: [], late: true };
      for (let count = known()?.count; performance.now() < until; count = known()?.count) {
        await sleep(Math.min(quietMs, Math.max(0, until - performance.now())));
        if (known()?.count === count) break;
      }
      return { file, diagnostics: known()?.diagnostics ?? [] };
    }),
  );
}

async function pulled({ wire, published }: Running, file: string, waitMs: number): Promise<FileDiagnostics> {
  const uri = uriOf(file);
  try {
    const report = await wire.request<{ items?: Diagnostic[] } | null>(
      "textDocument/diagnostic",
      { textDocument: { uri } },
      waitMs,
    );
    // Some send a part of them unasked all the same.
    const sent = published.get(uri)?.diagnostics ?? [];
    const items = report?.items ?? [];
    const fresh = sent.filter((each) => !items.some((item) => JSON.stringify(item) === JSON.stringify(each)));
    return { file, diagnostics: items.length === 0 ? fresh : items };
  } catch (error) {
    if (!(error instanceof LateAnswer)) throw error;
    return { file, diagnostics: [], late: true };
  }
}
