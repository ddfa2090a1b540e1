// A small repository laid out as real ones are, with a task in it and what a model does of it.

export interface SmallRepository {
  name: string;
  layout: string;
  /** What of this machine it needs; undefined where it is there, else what is missing. */
  lacks(): string | undefined;
  files: Record<string, string>;
  /** Packages that its checkout has installed, ignored by git. */
  installed?: readonly string[];
  request: string;
  stack: string;
  test: { path: string; text: string; create: boolean /** What is written at first, and mended. */; first?: string };
  subject: string;
  change: { old: string; new: string };
  /** Other files that the tester or the coder needs. */
  more?: { path: string; text: string; by: "verifier" | "coder"; intent: string }[];
  /** As a model would type it, without having seen how it works here. */
  testCommand: string;
  lint?: string;
  /** What runs the one test. */
  one: string;
}
