/** Stands in a `Text.value` for a piece that only the running shell will know. No shell word can hold it. */
export const hole = "\u0000";

/** Where data comes from, as bits. */
export const Origin = {
  network: 1,
  decoded: 2,
  secret: 4,
  file: 8,
  environment: 16,
  program: 32,
  /** Names of files outside the roots. */
  outside: 64,
  /** Output that never ends (`yes`, /dev/zero). */
  endless: 128,
  /** The names of all there is in a folder, not of some of it. */
  everything: 256,
  /** Names of files that may begin with a dash, and so be taken for an option. */
  loose: 512,
} as const;

/** One word after expansion, as far as it can be known without running anything. */
export interface Text {
  readonly value: string;
  /** Some piece is unknown: `value` has holes. */
  readonly holes: boolean;
  /** Known, but produced by running something (`$(echo rm)`, `${x:-rm}`): never trusted as a command word. */
  readonly computed: boolean;
  readonly glob: boolean;
  /** An unquoted unknown piece may become several words. */
  readonly split: boolean;
  /** Every hole is a file name below the workspace, or a word of that kind. */
  readonly names: boolean;
  /** Every hole is a number: nothing that the shell evaluates can be hidden in it. */
  readonly numeric: boolean;
  /** The value is a default (`${X:-this}`): a variable of the environment may stand there instead. */
  readonly doubtful: boolean;
  readonly tilde: boolean;
  /** `Origin` bits of what flowed into it. */
  readonly from: number;
}

/** What a command writes to its standard output. */
export interface Flow {
  /**
   * `numbers`: digits, signs and white space, nothing else. `constant`: words of letters, digits and `_.:+-` that do
   * not begin with a dash. `names`: names of files below the workspace.
   */
  readonly shape: "nothing" | "numbers" | "constant" | "names" | "unknown";
  readonly from: number;
  readonly text?: string;
}

export const nothing: Flow = { shape: "nothing", from: 0 };
export const constant: Flow = { shape: "constant", from: 0 };
export const numbers: Flow = { shape: "numbers", from: 0 };
export const names: Flow = { shape: "names", from: Origin.file | Origin.loose };
export const unknown = (from: number = Origin.program): Flow => ({ shape: "unknown", from });

const plain: Text = {
  value: "",
  holes: false,
  computed: false,
  glob: false,
  split: false,
  names: false,
  numeric: false,
  doubtful: false,
  tilde: false,
  from: 0,
};
export const literal = (value: string): Text => ({ ...plain, value });
export const unknownText = (from: number, more: Partial<Text> = {}): Text => ({
  ...plain,
  value: hole,
  holes: true,
  from,
  ...more,
});
export const nameText = (from: number = Origin.file | Origin.loose): Text => unknownText(from, { names: true });
export const numberText = (): Text => unknownText(0, { names: true, numeric: true });

const shapes: Flow["shape"][] = ["nothing", "numbers", "constant", "names", "unknown"];
const wider = (left: Flow["shape"], right: Flow["shape"]): Flow["shape"] =>
  shapes[Math.max(shapes.indexOf(left), shapes.indexOf(right))] ?? "unknown";

/** What a device file adds to the data that is read from it. */
export const endlessOf = (path: string): number => (/^\/dev\/(zero|u?random|full)$/.test(path) ? Origin.endless : 0);

/** Two outputs one after the other. */
export function joinFlows(left: Flow, right: Flow): Flow {
  if (left.shape === "nothing") return right;
  if (right.shape === "nothing") return left;
  const from = left.from | right.from;
  if (left.text !== undefined && right.text !== undefined)
    return { shape: "unknown", from, text: left.text + right.text };
  return { shape: wider(left.shape, right.shape), from };
}

/** The word that a substitution with this output becomes. */
export function flowText(flow: Flow, quoted: boolean): Text {
  if (flow.text !== undefined)
    return { ...plain, value: flow.text.replace(/\n+$/, ""), computed: true, split: !quoted, from: flow.from };
  if (flow.shape === "nothing") return { ...plain, computed: true };
  return unknownText(flow.from, {
    split: !quoted,
    names: /^(names|constant|numbers)$/.test(flow.shape) && !(flow.from & Origin.outside),
    numeric: flow.shape === "numbers",
  });
}

/** Longer words are given up as unknown: forty doublings of a variable are a terabyte. */
const longestWord = 50_000;

export function concat(left: Text, right: Text): Text {
  if (left.value.length + right.value.length > longestWord)
    return unknownText(left.from | right.from | Origin.program, { split: left.split || right.split });
  const known = (text: Text) => !text.holes || text.names;
  const counted = (text: Text) => !text.holes || text.numeric;
  return {
    value: left.value + right.value,
    holes: left.holes || right.holes,
    computed: left.computed || right.computed,
    glob: left.glob || right.glob,
    split: left.split || right.split,
    names: (left.holes || right.holes) && known(left) && known(right),
    numeric: (left.holes || right.holes) && counted(left) && counted(right),
    doubtful: left.doubtful || right.doubtful,
    tilde: left.tilde,
    from: left.from | right.from,
  };
}

/** Standard input or output, and no file that the environment may name instead (`${X:--}`). */
export const isDash = (text: Text): boolean => text.value === "-" && !text.doubtful;

export const isStatic = (text: Text | undefined): text is Text & { holes: false; computed: false } =>
  text !== undefined && !text.holes && !text.computed;
/** For people: holes shown as an ellipsis. */
export const shown = (text: Text): string => text.value.replaceAll(hole, "…");
