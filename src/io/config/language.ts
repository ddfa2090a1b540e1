// Which language the person has set. It is read before anything else is loaded: the first sentence may be an error.
import path from "node:path";
import { readRegular } from "../files/regular.ts";

const largest = 4 * 1024 * 1024;

/** Of the environment, else of the person's own file; what is wrong with these, whoever loads the configuration says. */
export async function languageSetting(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const said = env["FETTLE_TERMINAL_LANGUAGE"];
  if (said) return said;
  const folder = env["XDG_CONFIG_HOME"] || path.join(env["HOME"] || "/", ".config");
  const file = path.join(folder, "fettle", "config.toml");
  try {
    const text = readRegular(file, largest);
    if (!text.includes("language")) return undefined;
    const { tomlEntriesOf } = await import("./layers.ts");
    const found = tomlEntriesOf(text, file).find(({ path: key }) => key.join(".") === "terminal.language");
    return typeof found?.value === "string" ? found.value : undefined;
  } catch {
    return undefined;
  }
}
