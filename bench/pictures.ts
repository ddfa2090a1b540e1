// `npm run bench -- pictures`: the README's pictures, drawn from the screen of the real program in a real terminal.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { byResults, call, makeScene } from "../test/scenarios/scene.ts";
import { buildOnce, projectRoot } from "../test/support/program.ts";
import { type Cell, keys, startTerminal, type TerminalProgram } from "../test/support/terminal.ts";

const columns = 100;
const cellWidth = 8.4;
const lineHeight = 18;
const margin = 16;
const ground = "#16181d";
const ink = "#d7dae0";
/** The sixteen colours of a terminal's palette, as a dark theme shows them. */
const palette = [
  ...["#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#abb2bf"],
  ...["#7f848e", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#ffffff"],
];

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function styleOf({ color, bold, dim }: Cell): string {
  const fill = color === undefined ? ink : (palette[color] ?? ink);
  return `fill="${fill}"${bold ? ' font-weight="bold"' : ""}${dim ? ' opacity="0.6"' : ""}`;
}

/** Cells of one look beside each other become one text. */
function lineOf(cells: readonly Cell[], row: number): string {
  const runs: { at: number; style: string; text: string }[] = [];
  for (const [at, cell] of cells.entries()) {
    const style = styleOf(cell);
    const last = runs.at(-1);
    if (last?.style === style) last.text += cell.text;
    else runs.push({ at, style, text: cell.text });
  }
  const y = margin + (row + 1) * lineHeight - 5;
  return runs
    .filter(({ text }) => text.trim() !== "")
    .map(({ at, style, text }) => {
      const spaces = text.length - text.trimStart().length;
      const x = (margin + (at + spaces) * cellWidth).toFixed(1);
      const shown = text.trim();
      const length = (shown.length * cellWidth).toFixed(1);
      return `<text x="${x}" y="${y}" textLength="${length}" xml:space="preserve" ${style}>${escaped(shown)}</text>`;
    })
    .join("");
}

function svgOf(lines: readonly Cell[][], title: string): string {
  const width = Math.ceil(columns * cellWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    `<title>${escaped(title)}</title><rect width="${width}" height="${height}" rx="8" fill="${ground}"/>`,
    ...lines.map(lineOf),
    "</svg>\n",
  ].join("\n");
}

const textOf = (cells: readonly Cell[]): string => cells.map(({ text }) => text).join("");

/** The lines from the one that holds `first` to the one that holds `last`. */
function part(terminal: TerminalProgram, first: string, last: string): Cell[][] {
  const lines = terminal.cells();
  const from = lines.findIndex((cells) => textOf(cells).includes(first));
  const to = lines.findIndex((cells, at) => at >= from && textOf(cells).includes(last));
  if (from < 0 || to < 0) throw new Error(`The screen does not show ${first} … ${last}:\n${terminal.everything()}`);
  return lines.slice(from, to + 1);
}

async function approvalCard(): Promise<string> {
  const command = "curl -sO https://rates.example.org/today.json";
  const send = call("shell", { command, why: "the table shows old rates" }, "send");
  await using scene = await makeScene(byResults([send], "Done."), {
    git: true,
    files: { "today.json": "{}\n", "rates.js": "export const rates = {};\n" },
  });
  const terminal = startTerminal({
    program: path.join(projectRoot, "bin/fettle"),
    args: ["use the rates of today"],
    cwd: scene.folder,
    env: { ...scene.home.env, ...modelOf(scene.server.url) },
    ...{ columns, rows: 60 },
  });
  try {
    await terminal.shows("d(e)tails", 60_000);
    return svgOf(part(terminal, "approval needed", "d(e)tails"), "fettle asks before a command uses the network");
  } finally {
    terminal.type(keys.control("c"));
    terminal.kill("SIGKILL");
    await terminal.exited;
  }
}

const modelOf = (url: string) => ({
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: "not-a-real-key",
  OPENAI_MODEL: "scripted",
});

async function planPage(): Promise<string> {
  await using scene = await makeScene(() => "", {});
  const terminal = startTerminal({
    program: path.join(projectRoot, "bin/fettle"),
    args: ["demo", "task"],
    cwd: scene.folder,
    env: scene.home.env,
    ...{ columns, rows: 60 },
  });
  try {
    await terminal.shows("(l)ater", 90_000);
    return svgOf(part(terminal, "plan to approve", "(l)ater"), "The plan of a governed task, before it is approved");
  } finally {
    terminal.kill("SIGTERM");
    await terminal.exited;
  }
}

interface Shot {
  args: readonly string[];
  /** Settings besides. */
  env?: Record<string, string>;
  title: string;
  /** Types until what is to be drawn stands there; answers its first and last line. */
  act(terminal: TerminalProgram): Promise<readonly [string, string]>;
}

async function screenShot({ args, env = {}, title, act }: Shot): Promise<string> {
  await using scene = await makeScene([{ say: "The port is taken by the old server." }, { say: "Heard." }], {
    git: true,
    files: { "server.js": "export const port = 8080;\n" },
  });
  await scene.run(["-p", "why does the server not start on port 8080?"]);
  await scene.run(["-p", "name the tests after what they show"]);
  const terminal = scene.terminal(args, env, { columns, rows: 46 });
  try {
    return svgOf(part(terminal, ...(await act(terminal))), title);
  } finally {
    terminal.kill("SIGTERM");
    await terminal.exited;
  }
}

const ready = "openai/scripted · standard";

const palettePicture = (): Promise<string> =>
  screenShot({
    args: [],
    title: "The palette of commands",
    async act(terminal) {
      await terminal.shows(ready);
      await terminal.press("/re", "/resume");
      return ["/re", ready];
    },
  });

const sessionsPicture = (): Promise<string> =>
  screenShot({
    args: [],
    title: "Earlier sessions, found by what was said in them",
    async act(terminal) {
      await terminal.shows(ready);
      await terminal.enter("/sessions", "name the tests");
      await terminal.press("taken", /turn 1/);
      return ["Sessions (", ready];
    },
  });

const fullScreenPicture = (): Promise<string> =>
  screenShot({
    args: ["--continue"],
    env: { FETTLE_TERMINAL_VIEW: "full" },
    title: "The whole terminal as an option: what was said is found in the conversation",
    async act(terminal) {
      await terminal.shows(ready);
      await terminal.press(keys.control("f"), "Find in the conversation");
      await terminal.press("what they", /\d\/2/);
      return ["┌", ready];
    },
  });

const setupPicture = (): Promise<string> =>
  screenShot({
    args: ["setup"],
    title: "The first set-up: what would be asked at each level",
    async act(terminal) {
      await terminal.shows("[auto]");
      await terminal.enter("", "k for a key");
      await terminal.enter("", "Send it?");
      await terminal.enter("n", "[standard]");
      return ["What is done without asking", "[standard]"];
    },
  });

const pictures: Readonly<Record<string, () => Promise<string>>> = {
  "approval.svg": approvalCard,
  "plan.svg": planPage,
  "palette.svg": palettePicture,
  "sessions.svg": sessionsPicture,
  "full-screen.svg": fullScreenPicture,
  "setup.svg": setupPicture,
};

export async function picturesBench(): Promise<string> {
  await buildOnce();
  const written: string[] = [];
  for (const [name, draw] of Object.entries(pictures)) {
    const file = path.join("docs/guide/images", name);
    writeFileSync(path.join(projectRoot, file), await draw());
    written.push(file);
  }
  return `pictures drawn: ${written.join(", ")}`;
}
