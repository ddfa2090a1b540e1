// Before work starts: is Ollama there, and has the model been pulled?
import { Fault } from "../base/fault.ts";
import { request } from "../io/net/client.ts";
import { readText } from "../io/net/fetch.ts";
import { Exit } from "../protocol/exit.ts";
import { modelList } from "./contract/model-list.ts";
import type { ModelInfo } from "./contract/provider.ts";

/** Rejects when there is no Ollama within `timeoutMs`. */
export async function pulledModels(baseUrl: string, timeoutMs: number): Promise<ModelInfo[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const reply = await request({ url: `${baseUrl}/api/tags`, method: "GET", headers: {}, signal });
  const body = await readText(reply.body);
  const models = reply.status === 200 ? modelList(body) : undefined;
  if (!models) throw new Error(`${baseUrl} answers ${reply.status} and is no Ollama`);
  return models;
}

/** Rejects with a Fault (exit 2) that says how to start Ollama or to pull the model. */
export async function checkPulled(baseUrl: string, model: string): Promise<void> {
  let models: ModelInfo[];
  try {
    models = await pulledModels(baseUrl, 5_000);
  } catch (error) {
    throw notRunning(baseUrl, error);
  }
  const full = model.includes(":") ? model : `${model}:latest`;
  if (models.some(({ id }) => id === model || id === full)) return;
  const there = models.map(({ id }) => id).slice(0, 8);
  throw new Fault(
    "ollama.not-pulled",
    Exit.usage,
    `Ollama has no model "${model}"${there.length > 0 ? `; it has ${there.join(", ")}` : ""}.`,
    `Pull it with: ollama pull ${model}`,
  );
}

export function notRunning(baseUrl: string, error: unknown): Fault {
  const detail = error instanceof Error ? error.message : String(error);
  return new Fault(
    "ollama.not-running",
    Exit.usage,
    `Ollama does not answer at ${baseUrl} (${detail.replace(/\.$/, "")}).`,
    "Start it with: ollama serve (or set OLLAMA_HOST to where it runs).",
  );
}
