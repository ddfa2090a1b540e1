// `fettle mcp serve --http` as a gateway before the suite's tools (fixture.mjs): the real program, as a person sets it up.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { makeScene } from "../../scenarios/scene.ts";
import { buildOnce } from "../../support/program.ts";

interface ServedFettle extends AsyncDisposable {
  url: string;
}

/** Beside what a person has: fettle starts nothing that lies in its own folder. */
async function fixtureIn(folder: string): Promise<string> {
  const outfile = path.join(folder, "suite", "fixture.mjs");
  const entry = path.join(import.meta.dirname, "fixture.mjs");
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  writeFileSync(path.join(folder, "suite", "package.json"), "{}\n");
  return outfile;
}

/** `await using` it. The suite sends no header of its own, so the token stands in the address. */
export async function serveFettle(): Promise<ServedFettle> {
  await buildOnce();
  const scene = await makeScene([], { files: { "a.txt": "alpha\n" } });
  const added = await scene.run([
    "mcp",
    "add",
    "suite",
    "--tools",
    "reversible",
    "--",
    "node",
    await fixtureIn(scene.at("../servers")),
  ]);
  if (added.code !== 0) throw new Error(`${added.stdout}${added.stderr}`);
  const program = await scene.talk(["mcp", "serve", "--http", "--only", "suite"]);
  await program.shows(/Authorization: Bearer \S+\n/);
  const [, address = "", token = ""] = /: (http:\S+), Authorization: Bearer (\S+)/.exec(program.stderr()) ?? [];
  return {
    url: `${address}/${token}`,
    async [Symbol.asyncDispose]() {
      if (process.env["SHOW"]) process.stderr.write(program.stderr());
      program.signal("SIGTERM");
      await program.exited;
      await scene[Symbol.asyncDispose]();
    },
  };
}
