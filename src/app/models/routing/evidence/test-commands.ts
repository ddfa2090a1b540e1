// Which commands run a project's tests, and what their end says. The class of a command only sets its time limit: it takes
// in all that checks, and whatever speaks of tests, as `npm install vitest` and `node -e 'test()'` do.
import type { Action } from "../../../../protocol/action.ts";
import type { FactOf } from "../../../../protocol/event.ts";
import type { Result } from "../../../../protocol/result.ts";

const before = /^(\w+=.*|env|time|nice|nohup|exec|command|timeout|\d+[smh]?)$/;

const runners =
  /^(pytest|py\.test|tox|nox|vitest|jest|mocha|ava|tap|jasmine|karma|cypress|playwright|rspec|phpunit|pest|bats|ctest|busted)$/;

const launchers =
  /^(npm|pnpm|yarn|bun|npx|bunx|node|deno|python[\d.]*|uv|uvx|poetry|pdm|hatch|pipenv|go|cargo|make|gmake|ninja|meson|just|rake|bundle|ruby|mvnw?|gradlew?|sbt|lein|dotnet|swift|xcodebuild|zig|bazel|bazelisk|mix|dart|flutter|stack|cabal|php|composer|turbo|nx|sh|bash)$/;

const targets = /^(t|test|tests|tst|testall|test[:_-][\w:-]+|--test|unittest|nextest)$/;

/** What these check is the project's business, which mostly means its tests. */
const checkers = /^(npm|pnpm|yarn|bun|make|gmake|ninja|just|rake|mvnw?|gradlew?|composer)$/;

/** What stands behind them is fetched, looked at, built or text of a program. */
const others =
  /^(i|ci|install|add|remove|rm|uninstall|update|upgrade|why|view|info|show|list|ls|outdated|audit|init|create|pip|build|lint|-c|-e|-p|--eval|--print)$/;

const tellsOnly = /^(--version|--help|-h|--collect-only|--co|--list|--list-tests|--listTests|--dry-run)$/;

/** `command`: a single one, without what is quoted in it. */
function namesTests(command: string): boolean {
  const words = command.split(/[\s()]+/).filter((word) => word !== "");
  const [first = "", ...more] = words.slice(words.findIndex((word) => !before.test(word)));
  if (more.some((word) => tellsOnly.test(word))) return false;
  const program = baseName(first);
  if (runners.test(program)) return true;
  if (!launchers.test(program)) return false;
  const runs = (word: string): boolean =>
    targets.test(word) ||
    runners.test(/(^|\/)node_modules\//.test(word) ? baseName(word) : word) ||
    (/^(check|verify)$/.test(word) && checkers.test(program));
  const at = more.findIndex(runs);
  return at >= 0 && !more.slice(0, at).some((word) => others.test(word));
}

const baseName = (word: string): string => word.slice(word.lastIndexOf("/") + 1).replace(/\.[cm]?js$/, "");

/**
 * Undefined: it is not known, as for a command that still runs in the background, was stopped, or could not be started
 * (126 and 127, of a shell). A command that ran is done, however it ended.
 */
export function testsPassed({ status, code, params }: Pick<Result, "status" | "code" | "params">): boolean | undefined {
  // Of a command that ended well nothing is said.
  const { exit = 0, job } = params ?? {};
  if (exit === 126 || exit === 127) return undefined;
  if (status === "done") return job === undefined ? exit === 0 : undefined;
  return status === "failed" && !notRun.test(code ?? "") ? false : undefined;
}

const notRun = /^(process\.)?(stopped|unstartable)$/;

/** What is quoted or escaped, and what only leads output elsewhere, says nothing of whose exit a command line ends with. */
const besides = /'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^\n]|\d*>&\d|&>>?/g;
const runsMore = /`|\$\(/;

/**
 * A call that runs tests and ends as they end: of a pipe, a list or what stands in the background the exit is another's, and
 * a model must not be rewarded for `npm test | tail`.
 */
export function runsTests({ action }: Pick<FactOf<"call.decided">, "action">): boolean {
  if (action?.kind !== "shell") return namesTests(commandOf(action));
  // A trap may end with anything, and in $'…' quotes are escaped otherwise.
  if (/\$'|\btrap\b/.test(action.command)) return false;
  const bare = action.command
    .trim()
    .replace(besides, (text) => (text.startsWith('"') && runsMore.test(text) ? "`" : ""));
  const parts = bare.split("&&");
  return !parts.some((part) => runsMore.test(part) || /[|;&\n!'"]/.test(part)) && parts.some(namesTests);
}

/** As it was given; empty for what is no command. */
export function commandOf(action: Action | undefined): string {
  if (action?.kind === "shell") return action.command;
  return action?.kind === "program" ? action.argv.join(" ") : "";
}
