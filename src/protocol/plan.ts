// What a model plans for a task, how far that reaches, and what the check of its packages says.
import { z } from "zod";

const command = z.string().max(2000);

export const PlannedFile = z.object({
  path: z.string().min(1).max(500),
  action: z.enum(["create", "modify", "delete"]),
  intent: z.string().max(2000),
});
export type PlannedFile = z.infer<typeof PlannedFile>;

export const AcceptanceCheck = z.object({ claim: z.string().min(1).max(1000), command: command.min(1) });
export type AcceptanceCheck = z.infer<typeof AcceptanceCheck>;

const subject = z.array(z.string().min(1)).min(1);

/** The tests that are written first; one may be named by `path` alone. */
const PlannedTest = z.union([
  z.object({ paths: z.array(z.string().min(1)).min(1).max(20), subject }),
  z.object({ path: z.string().min(1), subject }).transform(({ path, ...rest }) => ({ paths: [path], ...rest })),
]);

/** What a model plans. Commands are shell lines, run from the top of the repository; an empty one does not exist. */
export const Plan = z.object({
  summary: z.string().min(1).max(2000),
  /** The technology; what is known of it by the planned files need not be said. */
  stack: z.string().max(100).default(""),
  files: z.array(PlannedFile).min(1),
  /** All are among `files`. Absent for refactoring and documentation. */
  test: PlannedTest.optional(),
  commands: z
    .object({
      install: command.optional(),
      compile: command.optional(),
      lint: command.optional(),
      test: command.optional(),
    })
    .default({}),
  run: z.array(command).default([]),
  background: z.array(command).default([]),
  migrate: z.array(command).default([]),
  seed: z.array(command).default([]),
  /** Steps that show the whole at work, once it is committed. */
  verification: z.array(command).default([]),
  hosts: z.array(z.string()).default([]),
  dependencies: z
    .array(z.object({ ecosystem: z.string(), name: z.string(), version: z.string().optional() }))
    .default([]),
  risks: z.array(z.string()).default([]),
  /** Old tests that are replaced or go, by name, or by the file that holds them. */
  replaces: z.array(z.string().max(500)).max(200).optional(),
  /** Settings of checks whose change the person asked for: the work is not held to them as they were. */
  settings: z.array(z.string().max(500)).max(20).optional(),
  /** How the commit is worded: why it is done stands in the body. */
  commit: z.object({ subject: z.string().min(1).max(200), body: z.string().max(4000).default("") }).optional(),
  acceptance: z.array(AcceptanceCheck).min(1),
});
export type Plan = z.infer<typeof Plan>;

/** How far a plan reaches, as far as names tell. */
export interface BlastRadius {
  files: number;
  /** Of the files that change or go, whole; new ones are guessed. */
  lines: number;
  commands: number;
  hosts: number;
  /** Files outside of the plan that take in what it changes. */
  dependents: string[];
  /** Sources that it changes and that no test names, by themselves or by what takes them in. */
  untested: string[];
  /** The same, but that the test which is planned is to be about them. */
  toBeTested?: string[];
  /** Sources that it changes. */
  sources: number;
  /** 1 to 10. */
  risk: number;
}

export const opinions = ["SAFE", "SUSPICIOUS", "DANGEROUS"] as const;

/** A dependency that the supply-chain check does not pass, and what a reviewer says of it: which clears nothing. */
export interface FlaggedDependency {
  ecosystem: string;
  name: string;
  flags: string[];
  opinion: { verdict: (typeof opinions)[number]; reason: string };
}
