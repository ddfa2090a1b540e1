import type { Client } from "../../../protocol/client.ts";
import { asFault } from "../host/failure.ts";
import type { Context } from "../host/context.ts";
import type { Console, ConsoleEvents } from "./console.ts";
import { LineConsole } from "./line-console.ts";

export type OpenConsole = (context: Context, events: ConsoleEvents) => Console;

/** The screen, unless the terminal cannot draw it or somebody asks for plain lines. */
export async function consoleFor({ host, options }: Context, client: Client, project: string): Promise<OpenConsole> {
  if (!takesKeys(host) || options.plain === true) return openLines;
  const setting = await client.read("config.get", { key: "terminal.ui" }).catch((error: unknown) => {
    if (asFault(error)) return undefined;
    throw error;
  });
  if (setting?.value === "plain") return openLines;
  const vi = (await client.read("config.get", { key: "terminal.keys" }).catch(() => undefined))?.value === "vi";
  const view = (await client.read("config.get", { key: "terminal.view" }).catch(() => undefined))?.value;
  const pictures = (await client.read("config.get", { key: "terminal.images" }).catch(() => undefined))?.value;
  const loaded = await import("./screen-console.ts").catch(() => undefined);
  // An installation of before has no library for it.
  if (!loaded) return openLines;
  const { ScreenConsole } = loaded;
  return (context, events) => {
    const { env, pause, edit, shrink, clipboard } = context.host;
    const editor = env["VISUAL"] || env["EDITOR"];
    // Node learns of a new size by a signal, and the signal waits for what the program does now.
    const stdout: { readonly rows?: number; readonly destroyed?: boolean; readonly _refreshSize?: () => void } =
      context.host.stdout;
    const measure = () => {
      if (!stdout.destroyed) stdout._refreshSize?.();
    };
    return new ScreenConsole({
      look: () => context.look("stdout"),
      rows: () => stdout.rows || 24,
      measure,
      env,
      events,
      project,
      setTheme: async (theme, asked) => {
        if (theme === "own") await context.readOwnColours(asked);
        context.theme = theme;
      },
      ground: {
        asks: context.asksGround,
        light: (light) => {
          context.light = light;
        },
      },
      vi,
      full: view === "full",
      pictures: typeof pictures === "string" ? pictures : "none",
      ...(pause && { pause }),
      ...(shrink && { shrink }),
      ...(clipboard && { clipboard }),
      ...(edit && { edit: async (text: string) => edit(text, editor) }),
    });
  };
}

const takesKeys = ({ env, stdin }: Context["host"]): boolean =>
  env["TERM"] !== "dumb" && stdin.setRawMode !== undefined;

const openLines: OpenConsole = (context, events) => {
  const look = () => context.look("stdout");
  return new LineConsole({ stdin: context.host.stdin, out: context.out, look, events });
};
