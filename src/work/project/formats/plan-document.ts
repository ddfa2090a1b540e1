// NN-MM-PLAN.md whole: read for those who carry it out and those who check it, and written from what a planner has answered.
import { splitFrontMatter } from "../../../extensions/markdown/front-matter.ts";
import { textsOf } from "./plan.ts";
import { oneLine, quoted } from "./sections.ts";
import { belowPlanning, shownIn } from "./workstream.ts";

export interface Artifact {
  path: string;
  provides: string;
  minLines?: number;
  exports?: string[];
  contains?: string;
}

export interface KeyLink {
  from: string;
  to: string;
  via: string;
  pattern?: string;
}

export interface MustHaves {
  truths: string[];
  artifacts: Artifact[];
  keyLinks: KeyLink[];
}

export interface DocumentTask {
  /** `auto`, or `checkpoint:human-verify`, `checkpoint:decision`, `checkpoint:human-action`. */
  type: string;
  name: string;
  files: string[];
  readFirst: string[];
  action: string;
  /** A command, where it is no checkpoint. */
  verify: string;
  acceptance: string[];
  done: string;
  /** Of a checkpoint: what a person is told, decides or does. */
  instructions: string;
}

export interface PlanDocument {
  /** `03-login`. */
  phase: string;
  /** `01`. */
  plan: string;
  type: string;
  wave: number;
  dependsOn: string[];
  files: string[];
  deleted: string[];
  autonomous: boolean;
  requirements: string[];
  gapClosure: boolean;
  /** What a person has to set up; one line each. */
  userSetup: string[];
  mustHaves: MustHaves;
  objective: string;
  /** Files to read before the first task, without `@`. */
  context: string[];
  tasks: DocumentTask[];
  verification: string[];
  success: string[];
  /** Rows of the threat model: id, category, component, disposition, mitigation. */
  threats: string[][];
}

const tags = [
  ...["objective", "execution_context", "context", "tasks", "task", "verification", "success_criteria", "output"],
  ...["threat_model", "name", "files", "read_first", "action", "verify", "automated", "acceptance_criteria", "done"],
  ...["what-built", "how-to-verify", "decision", "options", "option", "resume-signal", "instructions"],
];
const tagged = new RegExp(`<(?=/?(?:${tags.join("|")})[\\s>])`, "g");
const escapedTag = new RegExp(`&((?:amp;)*)lt;(?=/?(?:${tags.join("|")})[\\s>])`, "g");

/** A tag of the form that stands in the words of a plan opens and closes nothing. */
const escaped = (text: string): string => text.replace(escapedTag, "&amp;$1lt;").replace(tagged, "&lt;");
const unescaped = (text: string): string =>
  text.replace(escapedTag, (_all, more: string) => (more === "" ? "<" : `&${more.slice("amp;".length)}lt;`));

const paragraph = (text: string): string =>
  escaped(
    text
      .replace(/\r\n?/g, "\n")
      .split("\n")
      .map((line) => line.replace(/[^\S\t ]+|\p{Cc}/gu, " ").trimEnd())
      .join("\n")
      .trim(),
  );
const line = (text: string): string => escaped(oneLine(text));
const bullets = (items: readonly string[]): string[] => items.map((item) => `- ${line(item)}`);

/** `stream`: the workstream that it is of. */
export function planText(plan: PlanDocument, stream?: string): string {
  const { phase, plan: number } = plan;
  const prefix = phase.split("-", 1)[0] ?? phase;
  return [
    ...headLines(plan),
    "",
    ...["<objective>", paragraph(plan.objective), "</objective>", ""],
    ...["<context>", ...["PROJECT", "ROADMAP", "STATE"].map((name) => `@${shownIn(stream, `${name}.md`)}`)],
    ...plan.context.map((file) => `@${oneLine(file)}`),
    ...["</context>", "", "<tasks>", ""],
    ...plan.tasks.flatMap((task) => [...taskLines(task), ""]),
    ...["</tasks>", ""],
    ...(plan.threats.length > 0 ? [...threatLines(plan.threats), ""] : []),
    ...["<verification>", ...bullets(plan.verification), "</verification>", ""],
    ...["<success_criteria>", ...bullets(plan.success), "</success_criteria>", ""],
    ...["<output>", shownIn(stream, `phases/${phase}/${prefix}-${number}-SUMMARY.md`), "</output>", ""],
  ].join("\n");
}

const list = (items: readonly string[]): string => `[${items.map(quoted).join(", ")}]`;

function headLines(plan: PlanDocument): string[] {
  const { truths, artifacts, keyLinks } = plan.mustHaves;
  const block = (key: string, lines: readonly string[]) =>
    lines.length === 0 ? [`  ${key}: []`] : [`  ${key}:`, ...lines];
  return [
    ...["---", `phase: ${plan.phase}`, `plan: ${quoted(plan.plan)}`, `type: ${plan.type}`, `wave: ${plan.wave}`],
    `depends_on: ${list(plan.dependsOn)}`,
    `files_modified: ${list(plan.files)}`,
    ...(plan.deleted.length > 0 ? [`files_deleted: ${list(plan.deleted)}`] : []),
    `autonomous: ${plan.autonomous}`,
    `requirements: ${list(plan.requirements)}`,
    ...(plan.gapClosure ? ["gap_closure: true"] : []),
    ...(plan.userSetup.length > 0 ? ["user_setup:", ...plan.userSetup.map((each) => `  - ${quoted(each)}`)] : []),
    "must_haves:",
    ...block(
      "truths",
      truths.map((truth) => `    - ${quoted(truth)}`),
    ),
    ...block("artifacts", artifacts.flatMap(artifactLines)),
    ...block("key_links", keyLinks.flatMap(linkLines)),
    "---",
  ];
}

const artifactLines = ({ path, provides, minLines, exports, contains }: Artifact): string[] => [
  ...[`    - path: ${quoted(path)}`, `      provides: ${quoted(provides)}`],
  ...(minLines === undefined ? [] : [`      min_lines: ${minLines}`]),
  ...(exports === undefined ? [] : [`      exports: ${list(exports)}`]),
  ...(contains === undefined ? [] : [`      contains: ${quoted(contains)}`]),
];

const linkLines = ({ from, to, via, pattern }: KeyLink): string[] => [
  ...[`    - from: ${quoted(from)}`, `      to: ${quoted(to)}`, `      via: ${quoted(via)}`],
  ...(pattern === undefined ? [] : [`      pattern: ${quoted(pattern)}`]),
];

function taskLines(task: DocumentTask): string[] {
  const field = (tag: string, text: string) => (text === "" ? [] : [`  <${tag}>${text}</${tag}>`]);
  const checkpoint = task.type.startsWith("checkpoint:");
  const criteria = task.acceptance.map((each) => `    - ${line(each)}`).join("\n");
  return [
    `<task type="${oneLine(task.type).replaceAll('"', "'")}"${checkpoint ? ' gate="blocking"' : ""}>`,
    ...field("name", line(task.name)),
    ...field("files", line(task.files.join(", "))),
    ...field("read_first", line(task.readFirst.join(", "))),
    ...field("action", paragraph(task.action)),
    ...field("instructions", paragraph(task.instructions)),
    ...(task.verify === "" ? [] : [`  <verify><automated>${line(task.verify)}</automated></verify>`]),
    ...(criteria === "" ? [] : ["  <acceptance_criteria>", criteria, "  </acceptance_criteria>"]),
    ...field("done", line(task.done)),
    "</task>",
  ];
}

const threatLines = (threats: readonly (readonly string[])[]): string[] => [
  ...["<threat_model>", "| Threat ID | Category | Component | Disposition | Mitigation |", "|---|---|---|---|---|"],
  ...threats.map((row) => `| ${row.map((cell) => line(cell).replaceAll("|", "\\|")).join(" | ")} |`),
  "</threat_model>",
];

/** What a file does not say is empty; `problem` is what is wrong with its head. */
export async function readPlan(text: string): Promise<PlanDocument & { problem?: string }> {
  const split = await splitFrontMatter(text);
  const head = "problem" in split ? {} : split.head;
  const body = ("problem" in split ? text : split.body).replaceAll("\r\n", "\n");
  const at = body.indexOf("<tasks>");
  const [before, tasks] = at < 0 ? [body, body] : [body.slice(0, at), body.slice(at)];
  const after = tasks.slice(Math.max(0, tasks.lastIndexOf("</tasks>")));
  const context = between(before, "context");
  return {
    ...{
      phase: textOf(head["phase"]),
      plan: textOf(head["plan"]).padStart(2, "0"),
      type: textOf(head["type"]) || "execute",
    },
    wave: Number(head["wave"]) || 1,
    ...{ dependsOn: textsOf(head["depends_on"]), files: textsOf(head["files_modified"]) },
    ...{ deleted: textsOf(head["files_deleted"]), autonomous: head["autonomous"] !== false },
    ...{ requirements: textsOf(head["requirements"]), gapClosure: head["gap_closure"] === true },
    userSetup: setupOf(head["user_setup"]),
    mustHaves: mustHavesOf(head["must_haves"]),
    objective: unescaped(between(before, "objective")),
    context: [...context.matchAll(/^@(\S.*?)\s*$/gm)].flatMap(([, file = ""]) =>
      core.has(belowPlanning(file)) && file.startsWith(".planning/") ? [] : [file],
    ),
    tasks: tasksIn(tasks),
    verification: itemsIn(between(after, "verification")),
    success: itemsIn(between(after, "success_criteria")),
    threats: threatsIn(between(body, "threat_model")),
    ...("problem" in split && { problem: split.problem }),
  };
}

const core: ReadonlySet<string> = new Set(["PROJECT", "ROADMAP", "STATE"].map((name) => `${name}.md`));

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const objectsOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);

function setupOf(value: unknown): string[] {
  if (!Array.isArray(value)) return textsOf(value);
  return value.flatMap((each) =>
    isObject(each)
      ? [[textOf(each["service"]), textOf(each["why"])].filter((part) => part !== "").join(": ")]
      : textsOf(each),
  );
}

function mustHavesOf(value: unknown): MustHaves {
  const given = isObject(value) ? value : {};
  return {
    truths: textsOf(given["truths"]),
    artifacts: objectsOf(given["artifacts"]).map((each): Artifact => {
      const lines = Number(each["min_lines"]);
      return {
        ...{ path: textOf(each["path"]), provides: textOf(each["provides"]) },
        ...(Number.isInteger(lines) && lines > 0 && { minLines: lines }),
        ...(each["exports"] !== undefined && { exports: textsOf(each["exports"]) }),
        ...(each["contains"] !== undefined && { contains: textOf(each["contains"]) }),
      };
    }),
    keyLinks: objectsOf(given["key_links"]).map(
      (each): KeyLink => ({
        ...{ from: textOf(each["from"]), to: textOf(each["to"]), via: textOf(each["via"]) },
        ...(each["pattern"] !== undefined && { pattern: textOf(each["pattern"]) }),
      }),
    ),
  };
}

/** Cut by hand: a pattern over a damaged file would take the square of its length. */
function between(text: string, tag: string): string {
  const from = text.indexOf(`<${tag}>`);
  const to = from < 0 ? -1 : text.indexOf(`</${tag}>`, from);
  return to < 0 ? "" : text.slice(from + tag.length + 2, to).trim();
}

function tasksIn(text: string): DocumentTask[] {
  return text
    .split(/<task(?=[\s>])/)
    .slice(1)
    .flatMap((piece): DocumentTask[] => {
      const inside = piece.split("</task>", 1)[0] ?? "";
      const open = inside.indexOf(">");
      if (open < 0) return [];
      const content = inside.slice(open + 1);
      const part = (tag: string) => unescaped(between(content, tag));
      const verify = between(content, "verify");
      const automated = between(verify, "automated");
      const told = ["instructions", "what-built", "how-to-verify", "decision", "context", "options", "resume-signal"];
      return [
        {
          type: /type\s*=\s*["']([^"']{1,80})["']/.exec(inside.slice(0, open))?.[1] ?? "auto",
          ...{ name: part("name"), files: pathsIn(part("files")), readFirst: pathsIn(part("read_first")) },
          ...{ action: part("action"), verify: unescaped(automated === "" ? verify : automated) },
          ...{ acceptance: itemsIn(between(content, "acceptance_criteria")), done: part("done") },
          instructions: told
            .map(part)
            .filter((each) => each !== "")
            .join("\n"),
        },
      ];
    });
}

export const pathsIn = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((each) =>
      each
        .trim()
        .replace(/^[-*]\s+/, "")
        .replace(/^`(.*)`$/, "$1"),
    )
    .filter((each) => each !== "");

const itemsIn = (text: string): string[] =>
  text.split("\n").flatMap((each) => {
    const item = /^\s*[-*]\s+(?:\[[ xX]\]\s+)?(.*)$/.exec(each)?.[1]?.trim() ?? "";
    return item === "" ? [] : [unescaped(item)];
  });

const threatsIn = (text: string): string[][] =>
  text.split("\n").flatMap((row) => {
    const cells = row
      .trim()
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => unescaped(cell.trim().replaceAll("\\|", "|")));
    return cells.length < 2 || cells.every((cell) => /^:?-+:?$/.test(cell)) || /^threat id$/i.test(cells[0] ?? "")
      ? []
      : [cells];
  });
