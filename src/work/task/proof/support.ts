// What stands beside a test and belongs to it: fixtures, helpers, the configuration of its runner.
import path from "node:path";

const testFolders = /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|__fixtures__|fixtures|testdata|testing|e2e)\//i;
const runnerFiles =
  /(?:^|\/)(?:conftest\.py|pytest\.ini|tox\.ini|setupTests\.\w+|\.mocharc(?:\.\w+)?|(?:vitest|jest|playwright|cypress|karma|ava|web-test-runner)\.(?:config|setup|workspace)\.\w+)$/;

interface PlannedTest {
  paths: readonly string[];
  subject: readonly string[];
}

/** Beside a test of the plan or in a folder of tests, and not what is tested. A test at the top takes nothing else along. */
export function isTestSupport(file: string, { paths, subject }: PlannedTest): boolean {
  if (subject.includes(file) || paths.includes(file)) return false;
  if (runnerFiles.test(file) || testFolders.test(file)) return true;
  const folders = paths.map((each) => path.posix.dirname(each)).filter((folder) => testFolders.test(`${folder}/`));
  return folders.some((folder) => file.startsWith(`${folder}/`));
}
