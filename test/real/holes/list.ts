// Fixes of the judge of commands, each with what takes it out: the generator is to find every one of them again.
export interface Hole {
  name: string;
  /** What was wrong, as a command or a layer did it. */
  was: string;
  edits: readonly Edit[];
}

interface Edit {
  /** Below src. */
  file: string;
  /** Occurs once. */
  from: string;
  to: string;
}

const programs = "guard/programs";
const shell = "guard/command-line/shell";
const evaluated = `${shell}/evaluated.ts`;

export const holes: readonly Hole[] = [
  {
    name: "numbers",
    was: "text of a file or a program is taken for a number, which runs what its index holds",
    edits: [{ file: evaluated, from: "  judgeHidden(text, at);\n  if (!isNumber(text, at, 0))", to: "  if (!text)" }],
  },
  {
    name: "names",
    was: "text is taken for the name of a variable, which runs what its index holds",
    edits: [
      {
        file: evaluated,
        from: "export function judgeName(text: Text, at: Context): void {\n",
        to: "export function judgeName(text: Text, at: Context): void {\n  if (text) return;\n",
      },
    ],
  },
  {
    name: "outputs",
    was: "what `date`, `seq` and `expr` print is taken for a number, whatever their format says",
    edits: [
      { file: `${programs}/outputs.ts`, from: '["date", date]', to: '["date", () => numbers]' },
      { file: `${programs}/outputs.ts`, from: '["seq", seq]', to: '["seq", () => numbers]' },
      { file: `${programs}/outputs.ts`, from: '["expr", expr]', to: '["expr", () => numbers]' },
    ],
  },
  {
    name: "defaults",
    was: "`${X:-word}` is judged as if the variable were never set",
    edits: [
      {
        file: `${shell}/parameters.ts`,
        from: "({ ...text, computed: true, doubtful: true })",
        to: "({ ...text, computed: true })",
      },
    ],
  },
  {
    name: "branches",
    was: "what stands after `&&`, in a branch or in a function was taken to be done when it was over",
    edits: [
      {
        file: "guard/command-line/syntax/scope.ts",
        from: "    this.oneOf([before, this.state()]);",
        to: "    if (!before) this.oneOf([this.state()]);",
      },
    ],
  },
  {
    name: "labels",
    was: "a label of sed is taken to go to the end of the line, so `:a e CMD` runs",
    edits: [
      {
        file: `${programs}/text/sed.ts`,
        from: String.raw`/^(?=([ \t]*))\1(?=([\w.-]*))\2(?=[\s;}]|$)/`,
        to: String.raw`/^[^\n;}]*/`,
      },
    ],
  },
  {
    name: "separators",
    was: "xargs with `-0`, `-d` or `-I` is taken to split its input at white space",
    edits: [
      {
        file: `${programs}/shells/xargs.ts`,
        from: "separator: separatorOf(args, mark !== undefined),",
        to: "separator: separatorOf(args, mark !== undefined) && undefined,",
      },
    ],
  },
  {
    name: "modules",
    was: "`python3 -m` of a module that only reads is free beside a module that somebody has planted",
    edits: [
      { file: `${programs}/interpreters/judge.ts`, from: "if (isolated && readingModules", to: "if (readingModules" },
    ],
  },
  {
    name: "packing",
    was: "`npm pack --dry-run` is free, and runs prepack",
    edits: [
      {
        file: `${programs}/packages/judge.ts`,
        from: 'if (!rest.some(({ value }) => value === "--ignore-scripts"))',
        to: "if (!rest)",
      },
    ],
  },
  {
    name: "obeyed",
    was: "`cargo metadata` and `npm` readers are free beside a file that makes them run something else",
    edits: [
      { file: `${programs}/telltales/obeyed.ts`, from: "if (files.length === 0) return;", to: "if (files) return;" },
    ],
  },
];
