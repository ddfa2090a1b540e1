// What the first request has to say of the definitions that there are, before any of them is needed.
import { bundledAgents } from "./bundled.ts";
import { definitionPlaces, type Places } from "./folders.ts";
import type { AgentLibrary } from "./library.ts";

interface AgentOutline {
  name: string;
  description: string;
  /** It can do nothing but read. */
  reads: boolean;
}

export interface AgentShelf {
  outlines: readonly AgentOutline[];
  /** Some are not fettle's own: their words stand in the tool's description. */
  foreign: boolean;
  /** As they were when the session began. */
  library(): Promise<AgentLibrary>;
}

/** Where there are no definitions but fettle's own, nothing is parsed, and no parser is loaded. */
export async function openShelf(program: Places): Promise<AgentShelf> {
  const places = definitionPlaces(program);
  const load = () => import("./library.ts").then(({ libraryOf }) => libraryOf(places));
  if (places.length === 0) return { outlines: bundledAgents.map(outlineOf), foreign: false, library: once(load) };
  const library = await load();
  const outlines = [...library.usable.values()].map(({ definition: { name, description, role } }) => ({
    ...{ name, description },
    reads: role === "read-only",
  }));
  return { outlines, foreign: true, library: () => Promise.resolve(library) };
}

/** The heads of fettle's own are plain lines. Their names say enough to a model. */
const outlineOf = ({ name, text }: (typeof bundledAgents)[number]): AgentOutline => ({
  name,
  description: "",
  reads: /^role: read-only$/m.test(text),
});

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= work());
}
