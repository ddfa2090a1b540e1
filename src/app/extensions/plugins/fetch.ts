// Brings a plugin to where it can be looked at: copied from a folder, or fetched by git or npm behind the gate.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../../base/fault.ts";
import { shellWord } from "../../../base/shell-word.ts";
import { systemError, withFallback } from "../../../base/fallback.ts";
import { textIn } from "../../../base/text-in.ts";
import { Session } from "../../../engine/session/session.ts";
import { fetchCommand, type PluginSource, pluginSource } from "../../../extensions/plugins/source.ts";
import { copyPlugin, dropOthers, isFolder, leadsInside, pluginFiles } from "../../../io/plugins/folder.ts";
import { stagedFolder } from "../../../io/plugins/records.ts";
import { readRegular } from "../../../io/files/regular.ts";
import { type Plugin, readPlugin } from "../../../io/config/plugins.ts";
import { Exit } from "../../../protocol/exit.ts";
import { failure, textResult } from "../../../protocol/outcome.ts";
import type { Program } from "../../program/program.ts";
import { temporaryFolder } from "../../program/temporary.ts";
import { SessionScope } from "../../session/scope.ts";
import { unkeptFacts } from "../../session/unkept-facts.ts";

export interface ShownPlugin extends Plugin {
  source: string;
}

/** What was shown and not added is removed after this. */
const keptMs = 60 * 60 * 1000;

/** Copies it to where it can be shown. Rejects with a Fault where there is none that could be used. */
export async function showPlugin(program: Program, named: string): Promise<ShownPlugin> {
  const source = wanted(program, named);
  return withFetched(program, source, named, (folder) => keepShown(program, folder, source));
}

/** The text of a list of plugins: a file, a folder that holds one, or a repository. `folder`: what its paths begin from. */
export async function fetchMarket(program: Program, named: string): Promise<{ text: string; folder: string }> {
  const source = wanted(program, named);
  return withFetched(program, source, named, (place) => {
    const file = statSync(place).isFile()
      ? place
      : [".claude-plugin/marketplace.json", "marketplace.json"]
          .map((name) => path.join(place, name))
          .find((name) => existsSync(name));
    if (file === undefined || (source.kind !== "folder" && !leadsInside(realpathSync(place), file)))
      throw problem("market", `${named} holds no marketplace.json.`);
    const folder = statSync(place).isFile() ? path.dirname(place) : place;
    return { text: readRegular(file, 4 * 1024 * 1024), folder: source.kind === "folder" ? folder : named };
  });
}

const problem = (code: string, text: string): Fault =>
  new Fault(`plugin.${code}`, Exit.usage, text, "fettle plugin add --help shows what may be named.");

/** Paths count from where the person stands. */
function wanted(program: Program, named: string): PluginSource {
  const source = pluginSource(named);
  if ("problem" in source) throw problem("source", source.problem);
  if (source.kind !== "folder") return source;
  const given = source.path.replace(/^~(?=\/|$)/, program.places.home);
  const full = withFallback(undefined, systemError, () => realpathSync(path.resolve(program.cwd, given)));
  if (full === undefined) throw problem("missing", `There is no folder ${named}.`);
  return { kind: "folder", path: full };
}

async function withFetched<T>(
  program: Program,
  source: PluginSource,
  named: string,
  work: (place: string) => T,
): Promise<T> {
  if (source.kind === "folder") return work(source.path);
  const temporary = temporaryFolder();
  const session = Session.open("plugin-fetch", unkeptFacts());
  const scope = SessionScope.open(program, session, temporary.path, { own: { system: "", tools: [] } });
  try {
    const into = path.join(temporary.path, "fetched");
    mkdirSync(into);
    const run = runner(scope);
    await run("fetch", fetchCommand(source, into), named);
    if (source.kind === "git") return work(unpacked(into, "plugin", named));
    const archive = readdirSync(into).find((name) => name.endsWith(".tgz"));
    if (archive === undefined) throw problem("fetch", `${named} brought no package.`);
    await run("unpack", `tar -xzf ${shellWord(path.join(into, archive))} -C ${shellWord(into)} --no-same-owner`, named);
    return work(unpacked(into, "package", named));
  } finally {
    await scope.close();
    scope.parts.ledger.close();
    temporary.remove();
  }
}

/** What was fetched may be a link to something that this machine has, which nobody has named. */
function unpacked(into: string, name: string, named: string): string {
  const place = path.join(into, name);
  if (!isFolder(place)) throw problem("fetch", `${named} brought no folder.`);
  return place;
}

/** A command of the person's own, through the gate and in the sandbox, and recorded like any other. */
const runner =
  (scope: SessionScope) =>
  async (id: string, command: string, named: string): Promise<void> => {
    const gate = await scope.gate();
    const result = await gate.pass(
      {
        ...{ id: `plugin-${id}`, tool: "shell", origin: "person" },
        action: { kind: "shell", command, background: false },
      },
      async (grant) => {
        const { ended, code, output } = await grant.process.run();
        return ended === "exited" && code === 0 ? textResult(output) : failure("plugin.fetch", output || ended);
      },
      new AbortController().signal,
    );
    if (result.status === "done") return;
    const said = textIn(result.parts, " ")
      .replace(/<\/?data[^>]*>/g, "")
      .trim()
      .slice(-600);
    throw problem("fetch", `${named} could not be fetched: ${said || "the command failed"}`);
  };

const nameOf = (source: PluginSource): string => {
  const text = source.kind === "folder" ? source.path : source.kind === "npm" ? source.spec : source.address;
  return path
    .basename(text.replace(/(?<=.)@[^@/]*$/, ""))
    .replace(/\.git$/, "")
    .toLowerCase();
};

/** Only what was looked through is copied, and what is shown is the copy. */
function keepShown(program: Program, from: string, source: PluginSource): ShownPlugin {
  const root = realpathSync(from);
  if (!statSync(root).isDirectory()) throw problem("folder", `${root} is no folder.`);
  const files = pluginFiles(root);
  if ("problem" in files) throw problem("broken", `This plugin cannot be used: it ${files.problem}.`);
  const shown = stagedFolder(program.places);
  const young = Date.now() - keptMs;
  dropOthers(shown, (name) => statSync(path.join(shown, name)).mtimeMs > young);
  const folder = path.join(shown, randomBytes(8).toString("hex"));
  const folderName = nameOf(source);
  copyPlugin(root, files, folder);
  const plugin = readPlugin(folder, {
    ...{ folderName, workspace: program.workspace, home: program.places.home },
    granted: () => false,
  });
  if (plugin.problem !== undefined) throw problem("broken", `This plugin cannot be used: it ${plugin.problem}.`);
  writeFileSync(`${folder}.json`, JSON.stringify({ digest: plugin.digest, folderName, source: said(source) }), {
    mode: 0o600,
  });
  return { ...plugin, source: said(source) };
}

/** As it is written down, to be fetched from again. */
function said(source: PluginSource): string {
  if (source.kind === "folder") return source.path;
  if (source.kind === "npm") return `npm:${source.spec}`;
  return `git+${source.address}${source.at === undefined ? "" : `#${source.at}`}`;
}
