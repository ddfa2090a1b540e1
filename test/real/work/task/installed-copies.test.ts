// Suites that test an installed or built copy of what the task is about: the rehearsal notices it by running, and takes a form
// that tests the files here, or says that there is none.
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Scene } from "../../../scenarios/scene.ts";
import { sandboxHere } from "../../../support/sandbox.ts";
import { fixed, goodCrew, type MissionScript, nodeFiles, plan, say, test1, write } from "../../../work/task/crew.ts";
import { approve, look, openScene, planned, words } from "../../../work/task/tasks.ts";
import { works } from "./repositories/tools.ts";

const system = { PATH: "/usr/bin:/bin" };
const pytest = works("/usr/bin/python3", "-m", "pytest", "--version");

const shop = {
  "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
  "src/shop/__init__.py": "from .sums import rounded\n",
  "src/shop/sums.py": "def rounded(value):\n    return int(value)\n",
  "tests/test_old.py": "from shop import rounded\n\n\ndef test_whole():\n    assert rounded(2) == 2\n",
  "AGENTS.md": "The tests are run by `.venv/bin/python -m pytest`.\n",
  ".gitignore": "__pycache__/\n.venv/\n",
};

/** As `pip install .` leaves it: a copy in the environment's own packages. */
function install(scene: Scene): string {
  const made = spawnSync("/usr/bin/python3", [
    "-m",
    "venv",
    "--system-site-packages",
    "--without-pip",
    scene.at(".venv"),
  ]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  const { stdout } = spawnSync(scene.at(".venv/bin/python"), ["-c", "import site; print(site.getsitepackages()[0])"]);
  const packages = String(stdout).trim();
  cpSync(scene.at("src/shop"), `${packages}/shop`, { recursive: true });
  return packages;
}

const pythonPlan = {
  summary: "Round halves up",
  stack: "python",
  files: [
    { path: "tests/test_half.py", action: "create", intent: "shows it" },
    { path: "src/shop/sums.py", action: "modify", intent: "rounds" },
  ],
  test: { paths: ["tests/test_half.py"], subject: ["src/shop/sums.py"] },
  commands: { test: ".venv/bin/python -m pytest" },
  acceptance: [
    { claim: "1.5 becomes 2", command: ".venv/bin/python -m pytest -q tests/test_half.py" },
    { claim: "2.5 becomes 3", command: ".venv/bin/python -c 'from shop import rounded; assert rounded(2.5) == 3'" },
  ],
};

const pythonCrew = (told: string[], more: Record<string, unknown> = {}): Record<string, MissionScript> => ({
  auditor: goodCrew["auditor"] as MissionScript,
  architect({ prompt }) {
    told.push(prompt);
    return say({ ...pythonPlan, ...more });
  },
  verifier: ({ said }) =>
    said === 0
      ? write("tests/test_half.py", "from shop import rounded\n\n\ndef test_half():\n    assert rounded(1.5) == 2\n")
      : say("Written."),
  coder: ({ said }) =>
    said === 0
      ? { ...write("src/shop/sums.py", "def rounded(value):\n    return int(value + 0.5)\n"), say: "It cuts off." }
      : say("Done."),
});

const nodeCrew = (told: string[], half: string): Record<string, MissionScript> => ({
  ...goodCrew,
  architect({ prompt }) {
    told.push(prompt);
    return say(plan({ commands: { test: "npm test" } }));
  },
  verifier: ({ said }) => (said === 0 ? write("test/round.test.js", half) : say("Written.")),
  coder: ({ said }) => (said === 0 ? { ...write("src/round.js", fixed), say: "It floors." } : say("Done.")),
});

describe.skipIf(!sandboxHere)("suites that test an installed copy", () => {
  test.skipIf(!pytest)(
    `a package that is installed in the environment of its tests: they run with the sources first, planner and person are told, and the task is merged${pytest ? "" : " (skipped: pytest is not installed)"}`,
    { timeout: 120_000 },
    async () => {
      const told: string[] = [];
      await using scene = await openScene(pythonCrew(told), shop, system);
      install(scene);
      const { id, stderr } = await planned(scene);
      const sentence =
        /\.venv\/bin\/python -m pytest tests the copy of shop in \.venv\/lib\/python[\d.]+\/site-packages\/shop, and not the files here: it is run with PYTHONPATH=src\./;
      expect(told[0], stderr).toMatch(sentence);
      const { stderr: page, stdout } = await approve(scene, id);
      expect((await look(scene, id)).task.rehearsal?.checks[0]).toMatchObject({
        result: "works",
        run: expect.stringContaining("PYTHONPATH=src .venv/bin/python -m pytest"),
      });
      expect(page.replaceAll(/\s*│\s*/g, " ")).toMatch(sentence);
      expect(stdout).toContain("Merged into main");
    },
  );

  test.skipIf(!pytest)(
    `no form reaches the files here: the person is asked, names a command that does, and the task goes on with it${pytest ? "" : " (skipped: pytest is not installed)"}`,
    { timeout: 120_000 },
    async () => {
      const isolated = {
        ...shop,
        "tests/test_old.py":
          "import subprocess\nimport sys\n\n\ndef test_whole():\n    code = 'from shop import rounded; print(rounded(2))'\n    assert subprocess.run([sys.executable, '-I', '-c', code], capture_output=True, check=True).stdout == b'2\\n'\n",
        "checks/test_here.py":
          "import sys\n\nsys.path.insert(0, 'src')\nfrom shop import rounded\n\n\ndef test_here():\n    assert rounded(3) == 3\n",
      };
      const command = "PYTHONPATH=src .venv/bin/python -m pytest checks";
      const one = { claim: "1.5 becomes 2", command: "PYTHONPATH=src .venv/bin/python -m pytest tests/test_half.py" };
      const planHere = { commands: { test: command }, acceptance: [one] };
      await using scene = await openScene(pythonCrew([], planHere), isolated, system);
      install(scene);
      const asked = await scene.run(["task", words], { timeoutMs: 60_000 });
      expect([asked.code, asked.stderr]).toEqual([
        3,
        expect.stringMatching(
          /None of the repository's own tests can show what a change breaks: \.venv\/bin\/python -m pytest tests an installed copy \(it tests the copy of shop in \S+site-packages\/shop, and not the files here/,
        ),
      ]);
      const [, id = ""] = /fettle task answer (\w+)/.exec(asked.stderr) ?? [];
      const answered = await scene.run(["task", "answer", id, command], { timeoutMs: 60_000 });
      const { task } = await look(scene, id);
      expect(
        task.rehearsal?.checks.map(({ command: own, result }) => [own, result]),
        answered.stderr,
      ).toEqual([
        [command, "works"],
        [".venv/bin/python -m pytest", "installed copy"],
      ]);
      expect(answered.stderr.replaceAll(/\s*│\s*/g, " ")).toContain(
        ".venv/bin/python -m pytest is left out: it tests an installed copy, which no change here reaches.",
      );
      await approve(scene, id);
      expect((await approve(scene, id)).stdout).toContain("Merged into main");
    },
  );

  test("a package that its tests take by its name from node_modules: what is here stands in its place", {
    timeout: 120_000,
  }, async () => {
    const told: string[] = [];
    const files = {
      ...nodeFiles,
      "package.json": nodeFiles["package.json"]?.replace('"sample",', '"sample",\n  "main": "src/round.js",') ?? "",
      "test/old.test.js": nodeFiles["test/old.test.js"]?.replace("../src/round.js", "sample") ?? "",
    };
    await using scene = await openScene(nodeCrew(told, test1.replace("../src/round.js", "sample")), files);
    for (const file of ["package.json", "src/round.js"]) scene.put(`node_modules/sample/${file}`, scene.text(file));
    const { id, stderr } = await planned(scene);
    const sentence =
      "npm test tests the copy of sample in node_modules/sample, and not the files here: what is here stands in its place.";
    expect(told[0], stderr).toContain(sentence);
    const { stdout } = await approve(scene, id);
    expect(stdout).toContain("Merged into main");
    expect(scene.text("node_modules/sample/src/round.js")).toBe(nodeFiles["src/round.js"]);
  });

  test("tests of what a build has left: it is built before each run", { timeout: 120_000 }, async () => {
    const told: string[] = [];
    const files = {
      ...nodeFiles,
      "package.json": `${JSON.stringify({ name: "sample", type: "module", scripts: { test: "node --test", build: "mkdir -p dist && node --check src/round.js && cp src/round.js dist/" } })}\n`,
      "test/old.test.js": nodeFiles["test/old.test.js"]?.replace("../src/", "../dist/") ?? "",
      ".gitignore": "node_modules/\ndist/\n",
    };
    await using scene = await openScene(nodeCrew(told, test1.replace("../src/", "../dist/")), files);
    scene.put("dist/round.js", nodeFiles["src/round.js"] ?? "");
    const { id, stderr } = await planned(scene);
    expect(told[0], stderr).toContain(
      "npm test tests a copy that was built before, and not the files here: it is built anew before each run.",
    );
    const { stdout } = await approve(scene, id);
    expect(stdout).toContain("Merged into main");
  });
});
