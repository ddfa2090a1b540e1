// Habits that a person may want kept (the settings `guards.*`): each only tightens, and is off unless it is switched on.
import { within } from "../command-line/context/sensitive.ts";
import type { Limit } from "./limit.ts";

const changes = (kind: string): boolean => kind === "write" || kind === "delete";

/** Of fettle's own tools: what a program writes is compared afterwards, and comes with its diff. */
export const readBeforeEdit: Limit = {
  name: "guards.read_before_edit",
  judge({ effects, tags }, { habits }) {
    if (!habits?.unread || tags.includes("process")) return "pass";
    const missed = effects.find(({ kind, target }) => changes(kind) && habits.unread?.(target) === true);
    return missed ? { deny: `${missed.target} has not been read in this session; read it first.` } : "pass";
  },
};

export const workflow: Limit = {
  name: "guards.workflow",
  answeredBySession: true,
  judge({ effects }, { habits, task, envelope }) {
    if (habits?.workflow === undefined || task !== undefined || envelope !== undefined) return "pass";
    const { planning } = habits.workflow;
    const outside = effects.some(({ kind, target }) => changes(kind) && !within(target, planning));
    return outside
      ? { ask: "This changes the project outside of a task (fettle task), and you want to be asked." }
      : "pass";
  },
};

const kinds = "build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test";
const conventional = new RegExp(`^(?:${kinds})(?:\\([^)\\n]+\\))?!?: \\S`);
const longestSubject = 72;

/** As far as the command shows it: a message out of a file or an editor is asked about. */
export const commitMessages: Limit = {
  name: "guards.commit_messages",
  judge({ effects, tags }, { habits }) {
    if (!habits?.commitMessages || !tags.includes("commit")) return "pass";
    const commits = effects.flatMap(({ kind, part = "" }) => (kind === "vcs" && /\bcommit\b/.test(part) ? [part] : []));
    for (const command of commits) {
      const subject = messageIn(command)?.split("\n", 1)[0];
      if (subject === undefined) return { ask: "The message of this commit cannot be seen beforehand." };
      if (!conventional.test(subject) || subject.length > longestSubject)
        return {
          deny: `A commit message here is "kind: what it does" (${kinds.replaceAll("|", ", ")}), with at most ${longestSubject} characters in its first line.`,
        };
    }
    return "pass";
  },
};

const option = String.raw`(?:\s-[a-zA-Z]*m\s*|\s--message(?:=|\s+))`;
/** As many models write it, and some agents are told to: a here-document that is printed into the option. */
const printed = new RegExp(`${option}"?\\$\\(cat <<-?\\s*(['"]?)(\\w+)\\1\\n([\\s\\S]*?)\\n[\\t ]*\\2\\s*\\)`);
const quoted = new RegExp(`${option}(?:"((?:[^"\\\\]|\\\\.)*)"|'([^']*)'|(\\S+))`);

/** Undefined where only the shell knows it. */
function messageIn(command: string): string | undefined {
  const [, mark, , body] = printed.exec(command) ?? [];
  if (body !== undefined) return mark === "" && /[$`]/.test(body) ? undefined : body.trimStart();
  const [, double, single, bare] = quoted.exec(command) ?? [];
  const made = double ?? bare;
  if (made !== undefined && /(?<!\\)[$`]/.test(made)) return undefined;
  return double?.replace(/\\(.)/g, "$1") ?? single ?? bare;
}
