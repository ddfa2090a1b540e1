// The worker in which texts are parsed: what hangs or crashes there costs its own file only.
import { parentPort } from "node:worker_threads";
import { readTexts } from "./reading.ts";
import type { Text } from "./spec.ts";

parentPort?.on("message", (texts: Text[]) => {
  readTexts(texts, (document) => parentPort?.postMessage({ begun: document })).then(
    (batch) => parentPort?.postMessage({ batch }),
    (error: unknown) => parentPort?.postMessage({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
