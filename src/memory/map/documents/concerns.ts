import type { MapFile } from "../../../protocol/project-map.ts";
import { circlesOf } from "../circles.ts";
import type { Codebase, Habit, Mark } from "../codebase.ts";
import type { Manifests } from "../manifests.ts";
import { bullets, code, document, number, place, said } from "../markdown.ts";
import { usersOf } from "./architecture.ts";

const longFile = 600;
const loose = /^(?:\*|latest|x|)$|^(?:git|http|file:|link:)|^>=?/;

/** What somebody who changes this code should know first. Each line is a place to look at, not a verdict. */
export function concerns(codebase: Codebase, { dependencies }: Manifests): string {
  const sources = codebase.files.filter(({ kind, lines }) => kind === "source" && lines > 0);
  const users = usersOf(sources);
  const marks = (habit: Habit): Mark[] => codebase.habits.get(habit) ?? [];
  const quoted = ({ text, ...where }: Mark) => `${place(where)}: ${said(text)}`;
  return document("Codebase Concerns", "Found by rules; whether something is a fault is for a reader to say.", [
    { title: "Tech Debt", lines: bullets(codebase.todos.map(quoted), 40) },
    { title: "Silenced Checks", lines: bullets(marks("silences").map(quoted), 20) },
    { title: "Security Considerations", lines: bullets(marks("evaluates").map(quoted), 20) },
    { title: "Large Files", lines: bullets(large(sources, users), 20) },
    {
      title: "Circular Imports",
      lines: bullets(
        circlesOf(sources).map(
          (circle) => `${number(circle.length, "file")}: ${circle.slice(0, 6).map(code).join(", ")}`,
        ),
        15,
      ),
    },
    { title: "Fragile Areas", lines: bullets(fragile(sources, users), 20) },
    {
      title: "Dependencies at Risk",
      lines: bullets(
        dependencies
          .filter(({ version }) => loose.test(version.trim()))
          .map(
            ({ name, version, manifest, line }) =>
              `${code(name)}: ${version === "" ? "no version is said" : code(version)} (${place({ path: manifest, line })})`,
          ),
      ),
    },
    { title: "Test Coverage Gaps", lines: bullets(untested(sources), 30) },
  ]);
}

const large = (sources: readonly MapFile[], users: ReadonlyMap<string, number>): string[] =>
  sources
    .filter(({ lines }) => lines >= longFile)
    .toSorted((a, b) => b.lines - a.lines)
    .map(
      ({ path, lines }) =>
        `${code(path)}: ${number(lines, "line")}, imported by ${number(users.get(path) ?? 0, "file")}`,
    );

/** What many files need and no test is known to look at. */
const fragile = (sources: readonly MapFile[], users: ReadonlyMap<string, number>): string[] =>
  sources
    .filter(({ path, tests }) => tests.length === 0 && (users.get(path) ?? 0) >= 3)
    .toSorted((a, b) => (users.get(b.path) ?? 0) - (users.get(a.path) ?? 0) || (a.path < b.path ? -1 : 1))
    .map(
      ({ path }) =>
        `${code(path)}: imported by ${number(users.get(path) ?? 0, "file")}, no test is named for it or imports it`,
    );

const untested = (sources: readonly MapFile[]): string[] =>
  sources
    .filter(({ tests, exports }) => tests.length === 0 && exports.length > 0)
    .toSorted((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1))
    .map(({ path, lines }) => `${code(path)}: ${number(lines, "line")}`);
