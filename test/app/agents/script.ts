// A scripted model for several conversations at once: each is known by the first words of its person or parent.
import type { ModelServerRequest, Reply } from "../../support/model-server.ts";
import { messagesOf } from "../../scenarios/scene.ts";

type Steps = readonly (Reply | ((request: ModelServerRequest) => Reply | Promise<Reply>))[];

const textOf = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content));

/** The first user message of the conversation that the request is of. */
export const openingOf = (request: ModelServerRequest): string =>
  textOf(messagesOf(request).find(({ role }) => role === "user")?.content ?? "");

export const systemOf = (request: ModelServerRequest): string =>
  textOf(messagesOf(request).find(({ role }) => role === "system")?.content ?? "");

/** By what the opening contains; each conversation goes through its own steps by its number of answers. */
export const byOpening = (conversations: Record<string, Steps>) => (request: ModelServerRequest) => {
  const opening = openingOf(request);
  const found = Object.entries(conversations).find(([words]) => opening.includes(words));
  const answered = messagesOf(request).filter(({ role }) => role === "assistant").length;
  const step = found?.[1][answered];
  if (step === undefined) return { status: 400, say: `no step ${answered} for: ${opening.slice(0, 80)}` };
  return typeof step === "function" ? step(request) : step;
};

/** Resolves once `done` is true; rejects when that takes too long. */
export async function until(done: () => boolean, patienceMs = 60_000): Promise<void> {
  const late = Date.now() + patienceMs;
  while (!done()) {
    if (Date.now() > late) throw new Error("it did not come");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
