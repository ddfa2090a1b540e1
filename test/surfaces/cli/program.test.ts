// The real program as a child: what it says before any model is asked.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { asTyped } from "../../../src/surfaces/cli/typed-name.ts";
import { buildOnce, makeHome, projectRoot, runFettle, startFettle } from "../../support/program.ts";
import { startTerminal } from "../../support/terminal.ts";

test("version and help go to standard output", async () => {
  const version = await runFettle(["--version"]);
  expect(version).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^fettle \d+\.\d+\.\d+\n$/) });
  const help = await runFettle(["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toContain("Exit codes:");
});

test("wrong use is one sentence, a remedy, and exit 2", async () => {
  const { code, stdout, stderr } = await runFettle(["sessions", "lst"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe("fettle: Unknown command 'lst'; did you mean list?\nSee 'fettle sessions --help'.\n");
});

test("without a prompt and without a terminal there is nothing to do", async () => {
  const { code, stderr } = await runFettle([]);
  expect(code).toBe(2);
  expect(stderr).toContain("nothing to do without a prompt");
});

test("without any model: what to do, exit 2, no stack", async () => {
  const { code, stdout, stderr } = await runFettle(["-p", "hello"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("ANTHROPIC_API_KEY");
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("a reader that leaves early is no error", async () => {
  const started = await startFettle(["schema", "events"]);
  started.child.stdout?.destroy();
  started.endInput();
  const { code, stderr } = await started.exited;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("standard input that stays open does not hold up a typed prompt for ever", async () => {
  const started = await startFettle(["-p", "hello"]);
  await started.shows("Nothing came on standard input within 3 s");
  const { code } = await started.exited;
  expect(code).toBe(2);
});

test("hints on a screen name what can be typed: fettle where the PATH finds this one, else its path", async () => {
  expect(asTyped('List them: fettle sessions list; or fettle -p "x", fettle --continue', "./bin/fettle")).toBe(
    'List them: ./bin/fettle sessions list; or ./bin/fettle -p "x", ./bin/fettle --continue',
  );
  // Where it is only spoken of, it keeps its name.
  for (const text of ["this fettle was started", "/opt/fettle task", "fettle - an agent", "fettle says so"])
    expect(asTyped(text, "./bin/fettle")).toBe(text);
  const home = makeHome();
  const own = path.join(projectRoot, "bin", "fettle");
  const folder = path.join(home.folder, "bin");
  mkdirSync(folder);
  symlinkSync(own, path.join(folder, "fettle"));
  const shown = async (PATH: string) => {
    const started = startTerminal({
      program: own,
      args: ["sessions", "lst"],
      cwd: home.project,
      env: { ...home.env, PATH },
    });
    await started.exited;
    return started.screen().replaceAll(/\s+/g, " ");
  };
  await buildOnce();
  const usual = "/usr/bin:/bin";
  expect(await shown(`${folder}:${usual}`)).toContain("See 'fettle sessions --help'");
  expect((await shown(usual)).replaceAll(" ", "")).toContain(`See'${own}sessions--help'`);
  home.remove();
});

test("update says what is newer in the folder of a clone, and asks no server", async () => {
  const home = makeHome();
  const at = (...parts: string[]) => path.join(home.folder, ...parts);
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd,
      encoding: "utf8",
      env: { ...home.env, GIT_CONFIG_NOSYSTEM: "1" },
    });
  await buildOnce();
  mkdirSync(at("origin"));
  cpSync(path.join(projectRoot, "package.json"), at("origin", "package.json"));
  git(at("origin"), "init", "--quiet", "--initial-branch=main");
  git(at("origin"), "add", ".");
  git(at("origin"), "commit", "--quiet", "-m", "first");
  git(home.folder, "clone", "--quiet", at("origin"), at("clone"));
  for (const folder of ["bin", "dist", "assets"])
    cpSync(path.join(projectRoot, folder), at("clone", folder), { recursive: true });
  const update = () => {
    const env = { ...home.env, FETTLE_NODE: process.execPath };
    return execFileSync(at("clone", "bin", "fettle"), ["update"], { cwd: home.project, encoding: "utf8", env });
  };
  expect(update()).toMatch(/in \S+clone\nNothing newer is known on origin\/main[\s\S]*git -C \S+ fetch/);
  git(at("origin"), "commit", "--quiet", "--allow-empty", "-m", "Mend the wheel");
  expect(update()).toContain("Nothing newer");
  git(at("clone"), "fetch", "--quiet");
  expect(update()).toMatch(
    /1 commit newer on origin\/main \(last fetched .*\):\n {2}[0-9a-f]{7,} Mend the wheel\nTo take them: git -C/,
  );
  rmSync(at("clone", ".git"), { recursive: true });
  expect(update()).toContain("installed as a package");
  home.remove();
});
