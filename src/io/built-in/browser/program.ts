// Drives the machine's Chromium inside the sandbox: pages of granted hosts, in a profile of its own. What a page says is
// text of others.
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { setTimeout } from "node:timers/promises";
import { type BuiltInProgram, type BuiltInReply, PluginProblem, textOf, textReply } from "../serving/spec.ts";
import { openTab, type Tab } from "./tab.ts";
import { compared, keptPicture } from "./pictures.ts";
import type { BrowserOptions } from "./spec.ts";

const most = { text: 20_000, lines: 100 };

type Input = { [name: string]: unknown };

export function openBrowser(options: BrowserOptions, env: NodeJS.ProcessEnv): BuiltInProgram {
  let opened: Promise<Tab> | undefined;
  const tab = async (): Promise<Tab> => {
    opened ??= openTab(options, env);
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  const at = async (input: Input) => {
    const { page } = await tab();
    return page().locator(textOf(input, "target")).first();
  };
  const tools: Record<string, (input: Input) => Promise<BuiltInReply>> = {
    async open(input) {
      const url = webAddress(textOf(input, "url"));
      const here = await tab();
      const response = await here.page().goto(url, { waitUntil: "load" });
      await here.settled();
      return textReply(`${response?.status() ?? "no"} ${await whereText(here)}`);
    },
    async read(input) {
      const here = await tab();
      const root = input["target"] === undefined ? here.page().locator("body") : await at(input);
      const text = await root.ariaSnapshot();
      return textReply(`${await whereText(here)}\n${bounded(text)}`);
    },
    async click(input) {
      await (await at(input)).click();
      return textReply(await afterText(await tab()));
    },
    async type(input) {
      const field = await at(input);
      await field.fill(String(input["text"] ?? ""));
      if (input["enter"] === true) await field.press("Enter");
      return textReply(await afterText(await tab()));
    },
    console: async () => textReply(linesText((await tab()).console, "The console is empty.")),
    network: async () => textReply(linesText((await tab()).network, "Nothing was requested.")),
    async screenshot(input) {
      const data = await shot(await tab(), input, at);
      return { parts: [{ type: "image", mime: "image/png", data: data.toString("base64") }] };
    },
    async keep(input) {
      const file = pictureIn(options, input);
      return textReply(keptPicture(file, await shot(await tab(), input, at)));
    },
    async compare(input) {
      const file = pictureIn(options, input);
      const allowed = Number(input["allowed"] ?? 0);
      if (!(allowed >= 0 && allowed <= 1)) throw new PluginProblem('"allowed" is a share of the pixels, 0 to 1.');
      return compared(file, await shot(await tab(), input, at), allowed);
    },
  };
  return {
    async call(tool, input) {
      const run = tools[tool];
      if (!run) throw new PluginProblem(`There is no tool ${tool}.`);
      try {
        return await run(input);
      } catch (error) {
        throw error instanceof PluginProblem ? error : new PluginProblem(firstLines(error));
      }
    },
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

/** A file or an inner address of the browser shows what no host was granted for. */
function webAddress(given: string): string {
  const url = URL.parse(given) ?? URL.parse(`http://${given}`);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw new PluginProblem(`${given.slice(0, 200)} is no address that begins with http:// or https://.`);
}

function pictureIn({ pictures }: BrowserOptions, input: Input): string {
  const name = textOf(input, "picture");
  if (pictures === undefined)
    throw new PluginProblem("There is no folder for pictures: the person names one in browser.pictures.");
  if (!/^[\w-][\w.-]{0,80}$/.test(name)) throw new PluginProblem('"picture" is a name of letters, digits, - and _.');
  return path.join(pictures, name.endsWith(".png") ? name : `${name}.png`);
}

async function shot(here: Tab, input: Input, at: (input: Input) => Promise<{ screenshot: Shoot }>): Promise<Buffer> {
  const still = { animations: "disabled", caret: "hide", scale: "css", type: "png" } as const;
  const take = async () =>
    input["target"] === undefined
      ? here.page().screenshot({ ...still, fullPage: input["whole"] === true })
      : (await at(input)).screenshot(still);
  return take().catch(async (error: Error) => {
    // A busy Chromium refuses one picture and takes the same one a moment later.
    if (!error.message.includes("Unable to capture screenshot")) throw error;
    await setTimeout(500);
    return take();
  });
}

type Shoot = (options: { animations: "disabled"; caret: "hide"; scale: "css"; type: "png" }) => Promise<Buffer>;

const whereText = async (here: Tab): Promise<string> => `${here.page().url()}\n${await here.page().title()}`;

async function afterText(here: Tab): Promise<string> {
  await here.settled();
  return `Done. Now at ${await whereText(here)}`;
}

function linesText(lines: readonly string[], none: string): string {
  if (lines.length === 0) return none;
  const left = lines.length - most.lines;
  return bounded([...(left > 0 ? [`(${left} before these)`] : []), ...lines.slice(-most.lines)].join("\n"));
}

const bounded = (text: string): string =>
  text.length > most.text ? `${text.slice(0, most.text)}\n(${text.length - most.text} more characters)` : text;

/** What the library logs below its first sentence are its tries. */
const firstLines = (error: unknown): string =>
  stripVTControlCharacters(error instanceof Error ? error.message : String(error))
    .split("\n")
    .slice(0, 4)
    .join("\n")
    .slice(0, 600);
