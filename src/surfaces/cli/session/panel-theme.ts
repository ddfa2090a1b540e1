// `/theme`: the colours of the screen, each as it would look.
import { nearest } from "../../../base/fuzzy.ts";
import { colourNames, createStyle, lightPalette, type Look, type Palette, paletteOf } from "../text/style.ts";
import { interactive } from "../words/interactive.ts";
import type { SlashHost } from "./slash-host.ts";
import { words } from "./panel-words.ts";

const themes = ["auto", "dark", "light", "none", "own"] as const;

function sample(theme: string, own: Palette, { style }: Look): string[] {
  const palettes: Record<string, Palette> = { light: lightPalette, own };
  const look = createStyle({
    colour: style.colour && theme !== "none",
    unicode: style.symbols.done === "\u2713",
    palette: palettes[theme] ?? {},
  });
  return [
    `${look.green(`${look.symbols.done} ${words.sampleDone}`)}  ${look.yellow(words.sampleAsks)}  ${look.red(words.sampleFails)}`,
    colourNames.map((name) => look[name](name)).join("  "),
  ];
}

export async function theme({ client, console, signal }: SlashHost, argument: string): Promise<void> {
  const prefix = "terminal.colors.";
  const settings = await client.read("config.show", {});
  const given = settings.filter(({ key }) => key.startsWith(prefix));
  const own = paletteOf(Object.fromEntries(given.map(({ key, value }) => [key.slice(prefix.length), value])));
  const now = settings.find(({ key }) => key === "terminal.theme")?.value;
  const items = themes.map((value) => ({ value, label: value, what: words.themes[value] }));
  const named = themes.find((each) => each === argument);
  const picked =
    named ??
    (
      await console.pick?.(
        {
          title: words.themeTitle,
          hint: words.themeHint,
          nothing: words.nothing,
          items: async (query) => (query === "" ? items : nearest(items, query, ({ label }) => label, items.length)),
          preview: async (value) => sample(value, own, console.look),
          selected: String(now),
        },
        signal,
      )
    )?.value;
  if (picked === undefined) {
    if (!console.pick || argument !== "") console.print([interactive.usage(`/theme ${themes.join(" | ")}`)]);
    return;
  }
  await client.send({ type: "config.set", key: "terminal.theme", value: picked, layer: "user" });
  await console.setTheme?.(picked, client);
  console.print([words.themeNow(picked)]);
}
