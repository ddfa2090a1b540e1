// What has to be known of a language, to judge tests that are written in it.
import type { GrammarName } from "../../../../../io/grammars.ts";
import type { Node } from "./syntax.ts";

export interface TestFile {
  path: string;
  root: Node;
  text: string;
}

export interface Subject {
  path: string;
  /** Absent while it does not exist. */
  root?: Node;
  /** Names that it defines on its top level. */
  defines: ReadonlySet<string>;
}

/** Names by which the test speaks of the subject. */
export interface SubjectNames {
  /** The subject itself: a module, a package, a class. */
  whole: Set<string>;
  /** Single things of it, by the name that the test gives them, with their own. */
  members: Map<string, string>;
}

export interface TestNode {
  name: string;
  node: Node;
  skipped: boolean;
}

export interface Assertion {
  node: Node;
  /** What has to come from the subject. */
  about: readonly Node[];
  /** It says the same whatever the subject does. */
  constant: boolean;
  /** It notes what failed without throwing, so that nothing can catch it. */
  soft?: boolean;
}

export interface Patch {
  node: Node;
  /** What is replaced: a member of the subject, or `*` for all of it. */
  member: string;
}

export interface TestLanguage {
  grammarFor(path: string): GrammarName;
  defines(root: Node): Set<string>;
  takes(test: TestFile, subject: Subject): SubjectNames;
  tests(root: Node): TestNode[];
  assertions(test: Node): Assertion[];
  patches(test: TestFile, subject: Subject, taken: SubjectNames): Patch[];
  /** Definitions of the test's own that take a name, outside of its tests. */
  redefines(root: Node): { name: string; node: Node }[];
  /** Clauses that catch what an assertion throws, by type; and how the text of one begins that does. */
  catching: { clause: string; catches: RegExp };
}

/** Both sides of a comparison are the same words, and nothing is called: it cannot fail. */
export const sameWords = (left: Node | null | undefined, right: Node | null | undefined): boolean =>
  left !== null && left !== undefined && left.text === right?.text && !/[(]/.test(left.text);
