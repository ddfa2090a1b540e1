// What a Docker daemon holds and says, and images built from the workspace. Values of a container's environment are not told.
import { type BuiltInProgram, PluginProblem, textOf, textReply } from "../serving/spec.ts";
import { contextIn, packed } from "./context.ts";
import { ask, logText } from "./daemon.ts";
import type { DockerOptions } from "./spec.ts";

type Input = { [name: string]: unknown };
type Members = { [name: string]: unknown };

const most = { rows: 200, lines: 1_000, text: 20_000 };
const buildMs = 14 * 60_000;

export function openDocker(options: DockerOptions): BuiltInProgram {
  const json = async (path: string): Promise<unknown> =>
    JSON.parse((await ask(options, { path })).toString()) as unknown;
  const tools: Readonly<Record<string, (input: Input) => Promise<string>>> = {
    async containers({ all }) {
      const rows = listOf(await json(`/containers/json?all=${all === true}`)).map((each) =>
        [
          listOf(each["Names"], String).join(",").replace(/^\//, ""),
          ...[each["Image"], each["State"], each["Status"]].map(String),
          listOf(each["Ports"]).map(portText).join(" "),
        ].join("\t"),
      );
      return table(
        "name\timage\tstate\tstatus\tports",
        rows,
        all === true ? "There are no containers." : "No container runs.",
      );
    },
    async images() {
      const rows = listOf(await json("/images/json")).map((each) =>
        [
          listOf(each["RepoTags"], String).join(" ") || "<none>",
          String(each["Id"])
            .replace(/^sha256:/, "")
            .slice(0, 12),
          `${Math.round(Number(each["Size"]) / 100_000) / 10} MB`,
        ].join("\t"),
      );
      return table("tags\tid\tsize", rows, "There are no images.");
    },
    async inspect(input) {
      const name = named(input);
      const found = await json(`/containers/${name}/json`).then(
        (each) => ({ container: membersOf(each) }),
        async (error: unknown) => {
          if (!(error instanceof PluginProblem) || !error.message.startsWith("Docker refuses")) throw error;
          return { image: membersOf(await json(`/images/${name}/json`)) };
        },
      );
      const facts = "container" in found ? containerFacts(found.container) : imageFacts(found.image);
      return JSON.stringify(facts, undefined, 1);
    },
    async logs(input) {
      const lines = Math.min(most.lines, Math.max(1, Number(input["lines"] ?? 100) || 100));
      const path = `/containers/${named(input)}/logs?stdout=1&stderr=1&tail=${lines}`;
      return logText(await ask(options, { path })).slice(-most.text) || "It has written nothing.";
    },
    build: (input) => built(options, input),
  };
  return {
    async call(tool, input) {
      const made = tools[tool];
      if (!made) throw new PluginProblem(`There is no tool ${tool}.`);
      return textReply((await made(input)).slice(0, most.text));
    },
    close: async () => undefined,
  };
}

async function built(options: DockerOptions, input: Input): Promise<string> {
  if (options.workspace === undefined) throw new PluginProblem("Nothing is built here: docker.build is not set.");
  const folder = typeof input["folder"] === "string" && input["folder"] !== "" ? input["folder"] : ".";
  const file = typeof input["file"] === "string" && input["file"] !== "" ? input["file"] : "Dockerfile";
  const tag = textOf(input, "tag");
  if (!/^[a-z0-9][\w./:-]{0,200}$/.test(tag)) throw new PluginProblem(`${tag} is no name of an image.`);
  const recipe = file.replace(/^\.\//, "");
  const context = contextIn(options.workspace, folder, recipe);
  if (!context.files.includes(recipe))
    throw new PluginProblem(`There is no ${recipe} in ${folder}, or it is masked here.`);
  const query = new URLSearchParams({ t: tag, dockerfile: recipe, rm: "1" });
  const body = await ask(options, {
    method: "POST",
    path: `/build?${query}`,
    body: packed(context),
    withinMs: buildMs,
  });
  const said = body
    .toString()
    .split("\n")
    .flatMap((line) => (line.trim() === "" ? [] : [membersOf(JSON.parse(line))]));
  const text = said.map((each) => (typeof each["stream"] === "string" ? each["stream"] : "")).join("");
  const error = said.find((each) => typeof each["error"] === "string")?.["error"];
  const masked = context.masked.length === 0 ? "" : `\nLeft out, as they are masked here: ${context.masked.join(", ")}`;
  if (error !== undefined)
    throw new PluginProblem(`${text.slice(-4_000)}\nThe build failed: ${String(error)}${masked}`);
  return `${text.slice(-6_000)}\n${tag} is built from ${context.files.length} files.${masked}`;
}

/** As it stands in a path: an id, or a name with its registry, tag or digest. */
function named(input: Input): string {
  const name = textOf(input, "name");
  if (!/^[\w][\w./:@-]{0,300}$/.test(name) || name.includes("..")) throw new PluginProblem(`${name} is no name or id.`);
  return name;
}

function containerFacts(found: Members): Members {
  const [state, config, settings] = [
    membersOf(found["State"]),
    membersOf(found["Config"]),
    membersOf(found["NetworkSettings"]),
  ];
  return {
    name: String(found["Name"]).replace(/^\//, ""),
    ...{ id: String(found["Id"]).slice(0, 12), image: config["Image"], created: found["Created"] },
    state: picked(state, ["Status", "ExitCode", "Error", "OOMKilled", "StartedAt", "FinishedAt"]),
    health: membersOf(state["Health"])["Status"],
    restarts: found["RestartCount"],
    ...commandFacts(config),
    mounts: listOf(found["Mounts"]).map((each) => picked(each, ["Type", "Source", "Destination", "RW"])),
    ports: settings["Ports"],
    networks: Object.keys(membersOf(settings["Networks"])),
  };
}

function imageFacts(found: Members): Members {
  return {
    ...{
      tags: found["RepoTags"],
      id: String(found["Id"])
        .replace(/^sha256:/, "")
        .slice(0, 12),
      created: found["Created"],
    },
    ...picked(found, ["Architecture", "Os", "Size"]),
    ...commandFacts(membersOf(found["Config"])),
    layers: listOf(membersOf(found["RootFS"])["Layers"], String).length,
  };
}

const commandFacts = (config: Members): Members => ({
  ...{ entrypoint: config["Entrypoint"], command: config["Cmd"], folder: config["WorkingDir"], user: config["User"] },
  environment: listOf(config["Env"], String).map((each) => each.replace(/=.*$/s, "=…")),
  labels: Object.keys(membersOf(config["Labels"])),
});

const picked = (from: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));

function portText(port: Members): string {
  const inner = `${String(port["PrivatePort"] ?? port["container_port"] ?? "?")}/${String(port["Type"] ?? "tcp")}`;
  return port["PublicPort"] === undefined
    ? inner
    : `${String(port["IP"] ?? "")}:${String(port["PublicPort"])}->${inner}`;
}

const table = (head: string, rows: readonly string[], none: string): string => {
  if (rows.length === 0) return none;
  const more = rows.length > most.rows ? [`(${rows.length - most.rows} more)`] : [];
  return [head, ...rows.slice(0, most.rows), ...more].join("\n");
};

const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};

function listOf(value: unknown): Members[];
function listOf<T>(value: unknown, read: (each: unknown) => T): T[];
function listOf(value: unknown, read: (each: unknown) => unknown = membersOf): unknown[] {
  return Array.isArray(value) ? value.map((each: unknown) => read(each)) : [];
}
