// docs-update: claims of documents, held against the repository by code and by an agent that only reads; what is false is corrected by a governed task for each document.
import { counted } from "../../../base/counted.ts";
import { Fault } from "../../../base/fault.ts";
import { Exit, exitOfTask } from "../../../protocol/exit.ts";
import { textIn } from "../../task/world/texts.ts";
import { isOutside } from "../facts/check.ts";
import { documentFaults } from "../facts/document-claims.ts";
import { declaredIn } from "../work/declared.ts";
import type { Finding } from "../formats/findings-document.ts";
import { headOf } from "../formats/head-write.ts";
import { oneLine, table } from "../formats/sections.ts";
import { askAgents } from "../work/asking.ts";
import type { ProjectWork } from "../work/work.ts";
import { checkedAgainst, findingsOf } from "./findings.ts";
import { now } from "./phase-ground.ts";
import type { ProjectStep } from "./step.ts";

const states = ["true", "false", "not-checkable"] as const;
const most = 20;
const longest = 60_000;

interface FalseClaim {
  line: string;
  claim: string;
  truth: string;
  by: "code" | "agent";
}

interface Checked {
  path: string;
  claims: number;
  faults: FalseClaim[];
  /** Why no agent has looked at it. */
  problem?: string;
}

export const docsUpdate: ProjectStep = {
  name: "docs-update",
  phase: () => "project",
  async run(work, { words: named, options }) {
    const documents = await documentsIn(work, named);
    const first = await checkedDocuments(work, documents, "");
    const wrong = first.filter(({ faults }) => faults.length > 0);
    const corrected = options["verify-only"] === true ? { paused: undefined, done: [] } : await correct(work, wrong);
    // What was corrected is looked at again, as it is now.
    const again = corrected.done.length === 0 ? [] : await checkedDocuments(work, corrected.done, "again");
    const last = first.map((each) => again.find(({ path }) => path === each.path) ?? each);
    const path = await report(work, last, corrected.done);
    const left = last.reduce((sum, { faults }) => sum + faults.length, 0);
    const data = {
      document: `.planning/${path}`,
      corrected: corrected.done,
      documents: last.map(({ faults, ...each }) => ({ ...each, faults: faults.map((fault) => ({ ...fault })) })),
    };
    if (corrected.paused !== undefined) return { text: corrected.paused, exit: Exit.unanswered, data };
    return {
      text: `${counted(last.length, "document")} checked, ${counted(left, "claim is", "claims are")} false: .planning/${path}`,
      exit: left === 0 ? Exit.done : Exit.failed,
      over: true,
      data,
    };
  },
};

/** Those named, else the Markdown at the top and in docs/. Throws a Fault where there is none. */
async function documentsIn({ repository, world }: ProjectWork, named: readonly string[]): Promise<string[]> {
  const committed = (await repository.commit("HEAD")) === undefined ? [] : await repository.files();
  const usual = committed.filter(
    (file) => /^(?:docs\/.*|[^/]+)\.(?:md|markdown)$/i.test(file) && !/^CHANGELOG/i.test(file),
  );
  const missing = [];
  for (const file of named) if (isOutside(file) || (await textIn(world.root, file)) === undefined) missing.push(file);
  const found = named.length > 0 ? named : usual;
  if (missing.length > 0 || found.length === 0)
    throw new Fault(
      "project.no-document",
      Exit.usage,
      missing.length > 0 ? `There is no file ${missing[0]} in this project.` : "There is no document to check.",
      "Name one: fettle project docs-update README.md",
    );
  return found.slice(0, most);
}

/** `round`: an answer of an earlier look is not taken for this one. */
async function checkedDocuments(work: ProjectWork, paths: readonly string[], round: string): Promise<Checked[]> {
  const { root } = work.world;
  const files = await work.repository.files();
  const commands = await declaredIn(work);
  const texts = await Promise.all(paths.map(async (path) => (await textIn(root, path)) ?? ""));
  const answers = await askAgents(
    work,
    paths.map((path, at) => ({
      ...{ agent: "doc-verifier" as const, about: [path, round].filter(Boolean).join(", ") },
      text: `Check the claims of ${path}${round === "" ? "" : ", which was corrected"}. An item for each claim that the code can show to be true or false: the claim in the title, with its line; state; place of the code that shows it; evidence; and for a false one in action what would be true.`,
      data: { text: numberedLines(texts[at] ?? "").slice(0, longest), source: path },
      answer: findingsOf(states),
    })),
  );
  return Promise.all(
    paths.map(async (path, at): Promise<Checked> => {
      const known = documentFaults(texts[at] ?? "", { path, files, commands }).map(
        ({ line, claim, kind }): FalseClaim => ({
          ...{ line: String(line), claim, by: "code" },
          truth: kind === "path" ? "nothing of that name is in the repository" : "the repository does not have it",
        }),
      );
      const answer = answers[at];
      if (!answer?.value) {
        const problem = answer?.problem ?? "it was not begun";
        work.tell(`${path} was checked by code only: ${problem}`, false);
        return { path, claims: known.length, faults: known, problem };
      }
      const items = await checkedAgainst(work, answer.value.items, {
        claims: ["true", "false"],
        without: "not-checkable",
      });
      const said = items.filter(({ state }) => state === "false").map(saidFalse);
      const faults = [...known, ...said.filter(({ claim }) => !known.some((each) => claim.includes(each.claim)))];
      for (const { line, claim, truth } of faults)
        work.tell(`${path}:${line}: ${oneLine(claim)}: ${oneLine(truth)}`, false);
      return { path, claims: items.length + known.length, faults };
    }),
  );
}

const saidFalse = ({ title, action, evidence, place }: Finding): FalseClaim => ({
  line: /\bline (\d+)|:(\d+)/.exec(title)?.slice(1).find(Boolean) ?? "?",
  claim: title,
  truth: `${action === "" ? evidence : action} (${place})`,
  by: "agent",
});

const numberedLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line, at) => `${at + 1}: ${line}`)
    .join("\n");

/** One task, and so one commit, for each document. */
async function correct(
  work: ProjectWork,
  wrong: readonly Checked[],
): Promise<{ done: string[]; paused: string | undefined }> {
  const done: string[] = [];
  for (const { path, faults } of wrong) {
    const name = `docs ${path}`;
    const text = [
      `Correct the documentation in ${path}, and nothing besides. Keep what is true; look up each correction in the code.`,
      ...faults.map(({ line, claim, truth }) => `- line ${line}: ${oneLine(claim)} — ${oneLine(truth)}`),
    ].join("\n");
    const { task, paused } = await work.task({
      name,
      request: { text, source: path, strict: false, outcome: "merge", proposal: true },
    });
    if (paused !== undefined) return { done, paused };
    const merged = exitOfTask(task) === Exit.done && task.outcome?.kind === "merged";
    work.tell(`${path}: ${task.outcome?.text ?? task.state}`, merged);
    if (merged) done.push(path);
    else await work.world.forgetTask(name);
  }
  return { done, paused: undefined };
}

async function report(work: ProjectWork, checked: readonly Checked[], corrected: readonly string[]): Promise<string> {
  const at = now(work);
  const path = `reports/${at.slice(0, 16).replace(/\D/g, "")}-docs.md`;
  const rows = checked.flatMap(({ path: document, faults }) =>
    faults.map(({ line, claim, truth, by }) => [`${document}:${line}`, claim, truth, by]),
  );
  const text = [
    headOf({ checked: at, documents: checked.length, false_claims: rows.length }).trimEnd(),
    ...["", "# Claims of the Documents", ""],
    ...table(
      ["Document", "Claims", "False", "Corrected"],
      checked.map(({ path: document, claims, faults, problem }) => [
        ...[document, problem === undefined ? String(claims) : `${claims}, by code only`, String(faults.length)],
        corrected.includes(document) ? "yes" : "no",
      ]),
    ),
    ...[
      "",
      "## False Claims",
      "",
      ...(rows.length === 0 ? ["None."] : table(["Where", "Claim", "What is so", "Found by"], rows)),
      "",
    ],
  ].join("\n");
  await work.write(async () => ({ steps: [{ kind: "write", path, text }], activity: "claims of documents checked" }));
  await work.commitDocuments("docs: claims of documents checked");
  return path;
}
