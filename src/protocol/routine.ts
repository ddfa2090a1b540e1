// Routines as surfaces see them: work that was seen three times, and what a person has kept of it.
import { z } from "zod";
import { Json } from "./message.ts";

const Form = z.enum(["as is", "lower", "upper", "capital"]);
export type Form = z.infer<typeof Form>;

/** A text with holes: a string stands as it is, the others are parameters, by their number. */
export type Template = readonly (string | { parameter: number; form: Form })[];

/** JSON whose texts are templates. */
export type TemplateJson =
  | { text: Template }
  | { list: TemplateJson[] }
  | { members: Record<string, TemplateJson> }
  | { value: number | boolean | null };

const Text: z.ZodType<Template> = z.array(
  z.union([z.string(), z.object({ parameter: z.number().int().nonnegative(), form: Form })]),
);
const Input: z.ZodType<TemplateJson> = z.lazy(() =>
  z.union([
    z.object({ text: Text }),
    z.object({ list: z.array(Input) }),
    z.object({ members: z.record(z.string(), Input) }),
    z.object({ value: z.union([z.number(), z.boolean(), z.null()]) }),
  ]),
);

/** A turn that ended well: what it changed and ran, in order, and the command that then showed that it holds. */
export const Sighting = z.object({
  session: z.string(),
  turn: z.number().int(),
  /** Milliseconds since 1970. */
  at: z.number(),
  steps: z.array(z.object({ tool: z.string(), input: Json })),
  check: z.string(),
  /** As long as the check was let run, where that was said. */
  timeoutMs: z.number().optional(),
});
export type Sighting = z.infer<typeof Sighting>;
export type SeenStep = Sighting["steps"][number];

const Run = Sighting.pick({ session: true, turn: true, at: true });

/** What routine.json holds. */
export const Routine = z.object({
  version: z.literal(1),
  name: z.string(),
  /** In the order in which they are given. */
  parameters: z.array(z.string()),
  steps: z.array(z.object({ tool: z.enum(["shell", "write", "edit", "apply_patch"]), input: Input })).min(1),
  check: Text,
  timeoutMs: z.number().optional(),
  /** What each parameter was in the runs that it was seen in. */
  values: z.array(z.array(z.string())),
  seen: z.array(Run),
  kept: z.object({ by: z.string(), at: z.number() }),
  /** Replays in a row whose steps or check did not succeed. */
  failures: z.number().int(),
  aside: z.boolean(),
});
export type Routine = z.infer<typeof Routine>;

/** An offer as it was once made: a later one that does the same is the same one, whatever its words have become. */
const MadeOffer = Routine.pick({ check: true, values: true }).extend({
  id: z.string(),
  steps: z.array(z.object({ tool: z.string(), input: Input })),
});
export type MadeOffer = z.infer<typeof MadeOffer>;

/** What was seen in a project, and what became of its offers. */
export const SeenWork = z.object({
  sightings: z.array(Sighting),
  /** Offers of which a person was told, and those that they do not want. */
  told: z.array(MadeOffer),
  declined: z.array(MadeOffer),
});
export type SeenWork = z.infer<typeof SeenWork>;

export interface RoutineOffer {
  /** Eight hex digits; the same as long as the work stays the same. */
  id: string;
  /** A line for each step, then the check; and all of it, as Markdown. */
  lines: string[];
  text: string;
  /** Parameters by their likely names, with their values in the runs that were seen. */
  parameters: { name: string; values: string[] }[];
  seen: { session: string; turn: number; at: number }[];
}

export interface RoutineRow {
  name: string;
  lines: string[];
  text: string;
  parameters: { name: string; values: string[] }[];
  /** The skill folder that it stands in. */
  folder: string;
  seen: { session: string; turn: number; at: number }[];
  kept: { by: string; at: number };
  /** Replays in a row that failed; after two it is `aside`, and is not replayed. */
  failures: number;
  aside: boolean;
}

export interface RoutineQuestions {
  "routines.list": { ask: Record<string, never>; answer: { offers: RoutineOffer[]; kept: RoutineRow[] } };
}
