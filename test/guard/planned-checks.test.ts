// A planned check in other words is the planned check: never an amendment. One program, write, runner or setting more is one.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { assess } from "../../src/guard/assess/assess.ts";
import { underPlan } from "../../src/guard/assess/planned.ts";
import { syntaxDigest } from "../../src/guard/command-line/syntax/syntax-digest.ts";
import { decide } from "../../src/guard/decide.ts";
import type { EnvelopeTerms } from "../../src/protocol/task.ts";
import { context } from "./assessments.ts";
import { openWorld } from "./world.ts";

const world = openWorld();
afterAll(() => world.close());

/** A planned check: its forms, and what a model adds to it without meaning anything else. */
interface Drawn {
  forms: readonly string[];
  /** Each the same runner, before anything is added. */
  calls: readonly string[];
  flags: readonly string[];
  tests: readonly string[];
  /** What would decide what is run, or how. */
  settings: readonly string[];
}

const drawn: Record<string, Drawn> = {
  vitest: {
    forms: ["npm test", "node_modules/.bin/vitest run"],
    calls: ["npx vitest run", "vitest run", "node_modules/.bin/vitest run", "npm test --", "npx vitest"],
    flags: ["--reporter=verbose", "--reporter dot", "-t 'a name'", "--no-color", "--bail=1"],
    tests: ["test/a.test.ts", "src/cart.spec.ts", "src/planned.ts"],
    settings: [
      "--config evil.ts",
      "--reporter=./evil.js",
      "-u",
      "--coverage",
      "--dir ../x",
      "--root=/tmp",
      "--environment evil",
    ],
  },
  jest: {
    forms: ["npm test", "node_modules/.bin/jest", "node_modules/.bin/jest --runTestsByPath"],
    calls: ["npx jest", "jest", "npx --no-install jest", "npm test --"],
    flags: ["--verbose", "--silent", "-t 'half up'", "--runInBand", "--colors", "--watchAll=false"],
    tests: ["__tests__/a.js", "src/a.test.js"],
    settings: [
      "--config x.json",
      "-c x.json",
      "--setupFiles ./evil.js",
      "-u",
      "--coverage",
      "--reporters=./evil.js",
      "--env=evil",
    ],
  },
  mocha: {
    forms: ["npm test", "nyc mocha", "node_modules/.bin/mocha"],
    calls: ["npx mocha", "mocha", "npm test --"],
    flags: ["--reporter dot", "-R spec", "--grep 'a b'", "--bail", "--timeout 5000", "--ignore '**/!(signs.js)'"],
    tests: ["test/signs.js", "lib/x.spec.js"],
    settings: [
      "--require ./evil.js",
      "-r ./evil.js",
      "--config x.json",
      "--reporter ./evil.js",
      "--ui ./evil.js",
      "--file x.js",
    ],
  },
  node: {
    forms: ["npm test", "node --test", "node --test --test-reporter=tap"],
    calls: ["node --test", "npm test --"],
    flags: ["--test-reporter=spec", "--test-name-pattern='a b'", "--test-concurrency=1"],
    tests: ["test/a.test.js", "src/planned.ts"],
    settings: ["--import ./evil.js", "--require ./evil.js", "--env-file x", "-e 1", "--test-reporter=./evil.js"],
  },
  pytest: {
    forms: ["pytest -q", "PYTHONPATH=src python3 -m pytest -q"],
    calls: [
      "pytest",
      "python3 -m pytest",
      "PYTHONPATH=src python3 -m pytest",
      "PYTHONPATH=src pytest",
      "python -m pytest",
    ],
    flags: [
      "-q",
      "-vv",
      "-x",
      "--tb=short",
      "-k 'one and not two'",
      "-rA",
      "--no-header",
      "--maxfail=1",
      "-p no:cacheprovider",
    ],
    tests: ["tests/test_a.py", "tests/test_a.py::TestB::test_c", "tests", "src/pkg/test_b.py"],
    settings: [
      "-c x.ini",
      "-p evil",
      "-o addopts=x",
      "--rootdir=/tmp",
      "--junitxml=x.xml",
      "--cov=src",
      "--import-mode=append",
      "-n 4",
    ],
  },
  unittest: {
    forms: ["python3 -m unittest"],
    calls: ["python3 -m unittest", "python -m unittest"],
    flags: ["-v", "-f", "-k name"],
    tests: ["tests.test_a", "tests.test_a.TestB.test_c"],
    settings: ["evil.module", "discover -s /tmp"],
  },
  cargo: {
    forms: ["cargo test --workspace", "cargo test --workspace --offline --no-fail-fast --color never"],
    calls: ["cargo test"],
    flags: ["-q", "-p core", "--test wrap", "--lib", "--offline"],
    tests: ["characters_stay"],
    settings: ["--config evil", "--manifest-path ../x/Cargo.toml", "--target-dir /tmp/x", "--features evil", "-Z x"],
  },
  go: {
    forms: ["go test ./..."],
    calls: ["go test"],
    flags: ["-v", "-run TestDigits", "-count=1", "-short"],
    tests: ["./...", "./internal/span"],
    settings: [
      "-exec ./evil",
      "-toolexec ./evil",
      "-o x",
      "-coverprofile=x",
      "-modfile=x",
      "example.org/evil",
      "-C /tmp",
    ],
  },
  eslint: {
    forms: ["npm run lint", "eslint lib"],
    calls: ["npx eslint", "eslint"],
    flags: ["--quiet", "-f stylish", "--no-color"],
    tests: ["lib", "lib/a.js", "src/planned.ts"],
    settings: ["--fix", "-c evil.js", "--format ./evil.js", "--rulesdir x", "--plugin evil", "-o out", "other"],
  },
};

const paths = ["src/planned.ts", "src/planned.py"];
const filters = ["head -20", "tail -5", "tail -n +3", "grep -c ok", "grep -E 'FAIL|ok'", "grep -A 3 -e x", "wc -l"];
const words = (...lists: (readonly string[])[]) => fc.tuple(...lists.map((list) => fc.subarray([...list])));

const variants = (name: string) => {
  const { calls, flags, tests } = drawn[name] as Drawn;
  // A runner of files is given one of its own; the others may run all.
  const chosen = fc.subarray([...tests], {
    minLength: name === "eslint" || name === "go" ? 1 : 0,
    maxLength: Math.min(2, tests.length),
  });
  return fc
    .tuple(
      fc.constantFrom(...calls),
      words(flags),
      chosen,
      fc.subarray(filters, { maxLength: 2 }),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([call, [more = []], files, pipes, errors, cd]) => {
      const run = [call, ...more, ...files].join(" ");
      const piped = [errors ? `${run} 2>&1` : run, ...pipes].join(" | ");
      return cd ? `cd ${world.workspace} && ${piped}` : piped;
    });
};

function decided(forms: readonly string[], command: string, autonomy: 1 | 2 = 1, strict = false): string {
  const checks = [{ digest: syntaxDigest(forms[0] ?? ""), forms }];
  const task: EnvelopeTerms = {
    ...{ digest: "d", strict, commands: [checks[0]?.digest ?? ""], amended: [], paths, hosts: [], checks },
  };
  const action = { kind: "shell" as const, command, background: false };
  const assessment = underPlan(action, assess(action, world.facts), task, world.workspace);
  const { verdict, rule } = decide(assessment, context({ task, autonomy, workspace: world.workspace }));
  return `${verdict} ${rule}`;
}

test.each(Object.keys(drawn))(
  "property: %s in other words is never asked, at any autonomy and strict or not",
  (name) => {
    const { forms } = drawn[name] as Drawn;
    fc.assert(
      fc.property(
        variants(name),
        fc.constantFrom(1 as const, 2 as const),
        fc.boolean(),
        (command, autonomy, strict) => {
          expect(decided(forms, command, autonomy, strict), command).toBe("notify envelope");
        },
      ),
      { numRuns: 40 },
    );
  },
);

/** Each makes something else of a line that is a check. */
const changes: readonly ((line: string) => string)[] = [
  ...[
    "; touch x",
    " && touch x",
    " || true",
    " &",
    " | sh",
    " | tee out",
    " > out.txt",
    " >> src/planned.ts",
    " | xargs rm",
  ].map((tail) => (line: string) => `${line}${tail}`),
  ...[
    " | grep x /etc/hosts",
    " | grep -f /etc/hosts x",
    " | tail -f /etc/hosts",
    " < /etc/hosts",
    " $(id)",
    " `id`",
    " 2> err",
  ].map((tail) => (line: string) => `${line}${tail}`),
  ...[
    "touch x && ",
    "cd .. && ",
    "cd /tmp && ",
    "cd node_modules/x && ",
    "LD_PRELOAD=/tmp/x ",
    "NODE_OPTIONS=--import=./x ",
    "! ",
    "env ",
  ].map((head) => (line: string) => `${head}${line}`),
  (line) => `(${line})`,
  (line) => `sh -c "${line}"`,
  (line) => `for i in 1 2; do ${line}; done`,
];
const alone = (line: string) => line.replace(/^cd \S+ && /, "").replace(/ 2>&1.*$| \|.*$/, "");

test.each(Object.keys(drawn))("property: %s with a program, a write or a place more is an amendment", (name) => {
  const { forms } = drawn[name] as Drawn;
  fc.assert(
    fc.property(variants(name), fc.constantFrom(...changes), (line, change) => {
      const command = change(alone(line));
      expect(decided(forms, command), command).toMatch(/^(?:ask|deny) /);
      expect(decided(forms, command, 2, true), command).toMatch(/^deny /);
    }),
    { numRuns: 40 },
  );
});

test.each(Object.keys(drawn))(
  "property: %s with a setting that changes what is run, or a file that is no test, is an amendment",
  (name) => {
    const { forms, settings, calls } = drawn[name] as Drawn;
    const more = [...settings, "/tmp/tests/test_x.py", "../other/test/a.test.js", "node_modules/x/test/a.test.js"];
    fc.assert(
      fc.property(variants(name), fc.constantFrom(...more), fc.boolean(), (line, setting, first) => {
        const run = alone(line);
        const call =
          calls.toSorted((left, right) => right.length - left.length).find((each) => run.startsWith(each)) ?? "";
        const command = first ? `${call} ${setting}${run.slice(call.length)}` : `${run} ${setting}`;
        expect(decided(forms, command), command).toBe("ask envelope.amendment");
      }),
      { numRuns: 40 },
    );
  },
);

test("another runner, script or folder than the planned one is an amendment, and so is a check that nobody planned", () => {
  for (const name of Object.keys(drawn))
    for (const other of Object.keys(drawn).filter((each) => each !== name)) {
      const { forms } = drawn[name] as Drawn;
      const { calls } = drawn[other] as Drawn;
      for (const call of calls.filter((each) => !each.startsWith("npm test") && !each.startsWith(forms[1] ?? "-")))
        expect(decided(forms, call), `${name}: ${call}`).toBe("ask envelope.amendment");
    }
  for (const command of [
    "npm run other",
    "npm test --prefix x",
    "npm t -- evil",
    "cd sub && npm test",
    "yarn test",
    "npx vitest related src/x.ts",
  ])
    expect(decided((drawn["vitest"] as Drawn).forms, command), command).toBe("ask envelope.amendment");
  expect(decided(["make test"], "make test | tail -3")).toBe("notify envelope");
  expect(decided(["make test"], "make test V=1")).toBe("ask envelope.amendment");
  expect(decided(["tox -e py3"], "tox -e py3 -q -- tests/test_a.py -k one")).toBe("notify envelope");
  expect(decided(["tox -e py3"], "tox -e publish")).toBe("ask envelope.amendment");
});

test("what only sounds like the planned check is an amendment, and no word of a line stops the judging", () => {
  for (const [planned, command] of [
    ["node node_modules/jest/bin/jest.js", "node scripts/deploy.js"],
    ["pytest", "cd -P && pytest"],
    ["pytest", "cd - && pytest"],
    ["./run/pytest", "cd other && ./run/pytest"],
    ["tsc", "npx tsc"],
    ["pytest", "pytest constructor"],
    ["pytest", "pytest | constructor"],
    ["toString", "toString x"],
  ] as const)
    expect(decided([planned], command), `${planned}: ${command}`).toBe("ask envelope.amendment");
  expect(decided(["./run/pytest"], "./run/pytest -q")).toBe("notify envelope");
});

test.each([
  ["vitest run --config vitest.config.ts", "vitest run --config test/evil.test.ts"],
  ["jest -c jest.config.js", "jest -c test/evil.js"],
  ["mocha -r tsx", "mocha -r ./test/evil.js"],
  ["pytest -c setup.cfg", "pytest -c tests/evil.ini"],
  ["eslint -c a.js lib", "eslint -c lib/evil.js lib"],
  ["node --import tsx --test", "node --import ./test/evil.mjs --test"],
  ["node scripts/show.js", "node test/evil.js"],
  ["node --check src/planned.ts", "node src/planned.ts --check"],
  ["node --test", "node test/evil.js --test"],
  ["dart run tool/x.dart", "dart test/evil.dart"],
  ["pytest -q", "npx pytest"],
  ["tsc --noEmit", "npx tsc --noEmit"],
  ["npx eslint lib", "python3 -m eslint lib"],
  ["make test", "npx make test"],
  ["venv/bin/pytest", "cd tests/evil && venv/bin/pytest"],
  ["python3 -m pytest", "cd tests/evil && python3 -m pytest"],
  ["PYTHONPATH=src pytest", "cd tests/evil && PYTHONPATH=src pytest"],
  ["eslint lib", "cd src && eslint ../lib/a.js"],
  ["pytest", "pytest @conf/tests/words"],
  ["eslint .", "eslint init"],
  ["mocha test", "mocha test/a.js::x/../../evil.js"],
  ["jest", "jest --reporters default ./test/evil.js"],
])("%s is not %s", (planned, command) => {
  expect(decided([planned], command)).toBe("ask envelope.amendment");
});

const text = fc.constantFrom("a line", "it's one", "100 %");
const writing = fc
  .tuple(fc.constantFrom(...paths), text)
  .chain(([file, line]) =>
    fc.constantFrom(
      `cat >> ${file} <<'END'\n${line}\nEND`,
      `cat > ${file} <<'END'\n${line}\nEND`,
      `printf '%s\\n' x >> ${file}`,
      `echo x | tee -a ${file}`,
      `sed -i 's/a/b/' ${file}`,
      `cp README.md ${file}`,
      `mkdir -p src && echo x > ${file}`,
      `sed -n '1,5p' README.md > ${file} && cat ${file}`,
    ),
  );

test("property: a planned file is written by any means of which all is known, another one is an amendment", () => {
  fc.assert(
    fc.property(writing, (command) => {
      expect(decided(["npm test"], command), command).toBe("notify envelope");
      const other = command.replaceAll(/src\/planned\.\w+/g, "src/other.ts");
      expect(decided(["npm test"], other), other).toBe("ask envelope.amendment");
      expect(decided(["npm test"], `${command}\necho x > src/other.ts`)).toBe("ask envelope.amendment");
      expect(decided(["npm test"], other, 2, true)).toMatch(/^deny /);
    }),
    { numRuns: 40 },
  );
  const task: EnvelopeTerms = {
    ...{ digest: "d", strict: false, commands: [], amended: [], hosts: [], paths },
    ...{ locked: ["src/planned.py"], writes: ["src/planned.py"] },
  };
  const at = (command: string) => {
    const action = { kind: "shell" as const, command, background: false };
    return decide(underPlan(action, assess(action, world.facts), task), context({ task, workspace: world.workspace }))
      .rule;
  };
  // What is locked, or of another mission, is written by no means.
  for (const file of paths) expect(at(`echo x >> ${file}`)).toBe("envelope.amendment");
});
