// The interactive session in a real terminal, with the scripted client: keys in, screen out.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { type Home, makeHome, projectRoot } from "../../support/program.ts";
import { keys, startTerminal, type TerminalProgram } from "../../support/terminal.ts";

let home: Home | undefined;
let terminal: TerminalProgram | undefined;

function open(
  scene: string,
  options: { args?: string[]; env?: Record<string, string>; columns?: number; rows?: number } = {},
): TerminalProgram {
  home = makeHome();
  const stage = path.join(projectRoot, "test", "surfaces", "cli", "children", "stage.ts");
  terminal = startTerminal({
    program: process.execPath,
    args: [stage, scene, ...(options.args ?? [])],
    cwd: projectRoot,
    env: { ...home.env, ...options.env },
    ...(options.columns ? { columns: options.columns } : {}),
    ...(options.rows ? { rows: options.rows } : {}),
  });
  return terminal;
}

afterEach(async () => {
  terminal?.kill("SIGKILL");
  await terminal?.exited;
  home?.remove();
  terminal = undefined;
});

const ready = /recorded\/demo · standard/;

test("a prompt is answered in drawn Markdown, and Ctrl-D leaves", async () => {
  const shown = open("answer");
  await shown.shows(ready);
  shown.type(`why does login fail?${keys.enter}`);
  await shown.shows("✓ done");
  expect(shown.everything()).toContain("› why does login fail?");
  expect(shown.everything()).toContain("Because the cookie expires.");
  expect(shown.raw()).toContain("\x1b[1mcookie\x1b[22m");
  shown.type(keys.control("d"));
  expect(await shown.exited).toBe(0);
});

test("a whole turn: text, calls, approval with all it says, output, and one line for what changed", async () => {
  const shown = open("mending", { args: ["fix the failing test"], rows: 60 });
  await shown.shows("(a)pprove");
  for (const text of [
    "approval needed",
    "$ npm install left-pad",
    "use the network registry.example",
    "irreversible",
    '"the tests need it"',
  ])
    expect(shown.everything()).toContain(text);
  shown.type(`e${keys.enter}`);
  await shown.shows("[shell.install]");
  shown.type(`s${keys.enter}`);
  await shown.shows("approved for this session");
  await shown.shows("/diff shows it, /undo takes it back, the next prompt keeps it");
  expect(shown.everything()).toContain("Others run or obey these files later");
  expect(shown.everything()).toContain("… 22 earlier lines");
  expect(shown.everything()).not.toContain("(k)eep");
});

test("a denial takes its reason, typed on a line of its own", async () => {
  const shown = open("mending", { args: ["fix"] });
  await shown.shows("(a)pprove");
  shown.type(`r${keys.enter}`);
  await shown.shows("Reason for the model");
  shown.type(`use the built-in${keys.enter}`);
  await shown.shows("denied by local:ada: use the built-in");
});

test("keys typed for the entry line never answer an approval that comes up meanwhile", async () => {
  const shown = open("ask");
  await shown.shows(ready);
  shown.type(`go${keys.enter}`);
  for (let press = 0; press < 12; press++) {
    shown.type("a");
    await sleep(40);
  }
  expect(shown.everything()).not.toContain("approved by");
  await shown.shows("Press Enter first");
  shown.type("a");
  shown.type(keys.paste("a"));
  await shown.shows(`› ${"a".repeat(14)}`);
  expect(shown.everything()).not.toContain("approved by");
  await shown.shows("Press Enter first");
  shown.type(keys.enter);
  await shown.shows("Your text comes back afterwards");
  expect(shown.everything()).not.toContain("approved by");
  shown.type(`a${keys.enter}`);
  await shown.shows("approved by local:ada");
  await shown.shows(`› ${"a".repeat(14)}`);
});

test("a sentence is no answer, however slowly it is typed, and neither is what is pasted", async () => {
  const shown = open("ask", { args: ["go"] });
  await shown.shows("Type a letter and press Enter.");
  for (const letter of "and d") {
    shown.type(letter);
    await sleep(400);
  }
  await shown.shows("? and d");
  shown.type(keys.enter);
  await shown.shows("That was no answer; nothing was answered and nothing was sent.");
  await shown.shows("Your text comes back afterwards");
  shown.type(keys.paste("d"));
  await shown.shows("? d");
  shown.type(keys.enter);
  await shown.shows(/\? *\n/);
  shown.type(keys.escape);
  await shown.shows("› and d d");
  await shown.shows("Press Enter first");
  expect(shown.everything()).not.toMatch(/approved by|denied by/);
});

test("a sentence that is ended as the question comes is kept for afterwards; a wrong letter is not", async () => {
  const shown = open("ask");
  await shown.shows(ready);
  shown.type(`go${keys.enter}also keep it`);
  await shown.shows("Press Enter first");
  shown.type(`y${keys.enter}`);
  await shown.shows("Your text comes back afterwards");
  shown.type(`q${keys.enter}`);
  await shown.shows("That was no answer");
  shown.type(`a${keys.enter}`);
  await shown.shows("approved by local:ada");
  await shown.shows(/› also keep ity *\n/);
  expect(shown.everything()).not.toContain("joins the next round");
});

test("a draft of exactly one letter is set aside by Enter; only a letter after that answers", async () => {
  const shown = open("ask");
  await shown.shows(ready);
  shown.type(`go${keys.enter}d`);
  await shown.shows("Press Enter first");
  shown.type(keys.enter);
  await shown.shows("Your text comes back afterwards");
  expect(shown.everything()).not.toMatch(/approved by|denied by/);
  shown.type(`A${keys.enter}`);
  await shown.shows("approved by local:ada");
  await shown.shows("› d");
});

test("a question rings once, and not where the setting turns it off", async () => {
  const shown = open("ask", { args: ["go"], env: { TERM_PROGRAM: "WezTerm" } });
  await shown.shows("(a)pprove");
  expect(shown.raw().split("\x07")).toHaveLength(2);
  expect(shown.raw()).toContain("\x1b]9;fettle waits for your answer\x1b\\");
  terminal?.kill("SIGKILL");
  await terminal?.exited;
  home?.remove();
  const silent = open("ask-silent", { args: ["go"], env: { TERM_PROGRAM: "WezTerm" } });
  await silent.shows("(a)pprove");
  expect(silent.raw()).not.toMatch(/\x07|\x1b\]/);
});

test("at autonomy 1 the changes of a turn wait: k keeps, what is being typed does not", async () => {
  const shown = open("review-cautious", { args: ["go"] });
  await shown.shows("(k)eep (Enter)   (d)iscard");
  shown.type("keep ");
  shown.type("going");
  await shown.shows("? keep going");
  expect(shown.everything()).not.toContain("Changes kept.");
  shown.type(keys.control("u"));
  shown.type(`k${keys.enter}`);
  await shown.shows("Changes kept.");
});

test("an approval is whole and harmless in a narrow terminal", async () => {
  const shown = open("ask", { args: ["go"], columns: 40, rows: 60 });
  await shown.shows("(a)pprove");
  const text = shown.everything().replace(/[│\s]/g, "");
  expect(text).toContain(`${"x".repeat(200)}END`);
  expect(text).toContain("echo\\e[2Jtwo");
  expect(text).toContain("harmless\\e[31m");
});

test("Ctrl-C stops the turn and keeps the session; twice at rest leaves", async () => {
  const shown = open("slow", { args: ["go"] });
  await shown.shows("Working on it.");
  shown.type(keys.control("c"));
  await shown.shows("✗ stopped");
  shown.type("half a line");
  await shown.shows("› half a line");
  shown.type(keys.control("c"));
  await sleep(100);
  expect(shown.screen()).not.toContain("half a line");
  shown.type(keys.control("c"));
  await shown.shows("Press Ctrl-C again to leave.");
  shown.type(keys.control("c"));
  expect(await shown.exited).toBe(130);
});

test("what is typed while the agent works joins, and says so", async () => {
  const shown = open("slow", { args: ["go"] });
  await shown.shows("Working on it.");
  shown.type(`also the docs${keys.enter}`);
  await shown.shows("› also the docs  (joins the next round)");
  expect(shown.everything()).not.toContain("✗");
});

test("editing: several lines, history, completion of commands and files", async () => {
  const shown = open("attach");
  await shown.shows(ready);
  shown.type(`first \\${keys.enter}second${keys.left}${keys.left}X${keys.control("e")}!${keys.enter}`);
  await shown.shows("✓ done");
  expect(shown.everything()).toMatch(/› first\s*\n {2}secoXnd!/);
  shown.type(keys.paste("one\ntwo"));
  await shown.shows(/› one\n {2}two/);
  shown.type(`${keys.control("u")}${keys.backspace}${keys.control("u")}`);
  shown.type(`see @src/cart${keys.tab}`);
  await shown.shows("› see @src/cart.js");
  shown.type(`and @nope${keys.enter}`);
  await shown.shows("@nope is not attached: it is not there");
  await shown.shows("+ src/cart.js");
  shown.type(`/mo${keys.tab}`);
  await shown.shows("/model  /mode");
  shown.type(`${keys.control("u")}${keys.up}`);
  await shown.shows(/› see @src\/cart.js and @nope\n/);
});

test("the model's question is answered by a key or in words", async () => {
  const shown = open("question", { args: ["set up storage"] });
  await shown.shows("Which database?");
  await shown.shows("(2) PostgreSQL");
  shown.type(`2${keys.enter}`);
  await shown.shows("Then PostgreSQL it is.");
});

test("slash commands: help, mode, unknown, clear, quit", async () => {
  const shown = open("answer");
  await shown.shows(ready);
  shown.type(`/help${keys.enter}`);
  await shown.shows("/rewind [turn]");
  shown.type(`/mode trusted${keys.enter}`);
  await shown.shows("mode: trusted");
  shown.type(`/mode${keys.enter}`);
  await shown.shows(/\n  standard +reading [^]*\n✓ trusted +so do local commits/);
  shown.type(`/hlep${keys.enter}`);
  await shown.shows("There is no command /hlep; did you mean /help?");
  shown.type(`/clear${keys.enter}`);
  await shown.shows("The conversation starts anew");
  shown.type(`/quit${keys.enter}`);
  expect(await shown.exited).toBe(0);
});

test("a resumed session shows its last turn", async () => {
  const shown = open("resumed", { args: ["--continue"] });
  await shown.shows("Resumed “what was before”: 1 turn, last 2 h ago.");
  await shown.shows("An earlier answer.");
});

test("a turn that a crash cut off is gone on with when the person says so", async () => {
  const shown = open("cut", { args: ["--continue"] });
  await shown.shows("The last turn was cut off. Go on with it?");
  shown.type(keys.enter);
  await shown.shows("Going on.");
});

test("without any model: the reason, the next step, exit 2, no stack; a refused slash command ends nothing", async () => {
  const shown = open("nomodel");
  await shown.shows("no model yet");
  shown.type(`/role standard${keys.enter}`);
  await shown.shows("A role may only be lowered.");
  shown.type(`/trust${keys.enter}`);
  await shown.shows("Nothing from outside has made this session suspicious.");
  shown.type(`hello${keys.enter}`);
  expect(await shown.exited).toBe(2);
  expect(shown.everything()).toContain("fettle: No model is set up.");
  expect(shown.everything()).toContain("fettle config set model.default");
  expect(shown.everything()).not.toMatch(/^\s+at /m);
});

test("hostile text cannot steer the terminal", async () => {
  const shown = open("hostile", { args: ["go"] });
  await shown.shows("✓ done");
  expect(shown.everything()).toContain("beforeafter still here.");
  expect(shown.raw()).not.toMatch(/\x1b\]|\x1b\[2J/);
});

test("a terminal that shrinks keeps one entry line", async () => {
  const shown = open("answer");
  await shown.shows(ready);
  shown.type("some words that will have to wrap in a narrow terminal");
  await shown.shows("narrow terminal");
  await shown.resize(40, 30);
  await sleep(200);
  shown.type("!");
  await shown.shows("terminal!");
  expect(shown.screen().match(/› some words/g)).toHaveLength(1);
});

describe("a dumb terminal", () => {
  test("takes lines, shows no escape sequence, and asks by letters", async () => {
    const shown = open("mending", { env: { TERM: "dumb" }, rows: 60 });
    await shown.shows(/^>$/m);
    shown.type(`fix it${keys.enter}`);
    await shown.shows("Press Enter first, then answer with a letter and Enter.");
    shown.type(`a${keys.enter}`);
    await shown.shows("Now answer with a, s, d, r, e.");
    expect(shown.everything()).not.toContain("approved by");
    await sleep(300);
    shown.type(`x${keys.enter}`);
    await shown.shows("Answer with a, s, d, r, e.");
    shown.type(`approve${keys.enter}`);
    await shown.shows("approved by local:ada");
    await shown.shows("/undo takes it back");
    shown.type(keys.control("d"));
    expect(await shown.exited).toBe(0);
    expect(shown.raw()).not.toContain("\x1b");
  });

  test("Ctrl-C stops the turn there, too", async () => {
    const shown = open("slow", { args: ["go"], env: { TERM: "dumb" } });
    await shown.shows("Working on it.");
    shown.type(keys.control("c"));
    await shown.shows("x stopped");
  });
});

test("NO_COLOR keeps the keys and drops the colours", async () => {
  const shown = open("answer", { env: { NO_COLOR: "1" } });
  await shown.shows(ready);
  shown.type(`hi${keys.enter}`);
  await shown.shows("✓ done");
  expect(shown.everything()).toContain("Because the **cookie** expires.");
  expect(shown.raw()).not.toMatch(/\x1b\[[0-9;]*m/);
});
