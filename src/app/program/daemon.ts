// The daemon as a person controls it. Everything works without it.
import { existsSync, readFileSync } from "node:fs";
import { Fault } from "../../base/fault.ts";
import { changeProjects, watchedProjects } from "../../io/daemon/projects.ts";
import { ask, longestSocket } from "../../io/daemon/socket.ts";
import { daemonPlaces } from "../../io/daemon/spec.ts";
import { daemonCommand, startDaemon } from "../../io/daemon/start.ts";
import { makePrivateFolder } from "../../io/places/places.ts";
import type { DaemonQuestions, DaemonStatus } from "../../protocol/daemon.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Program } from "./program.ts";

const patienceMs = 10_000;
const pauseMs = 50;
const mostLines = 2_000;

const placesOf = ({ places }: Program) => daemonPlaces(places.state);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Watches this project from now on, and starts the daemon where it does not run. Rejects with a Fault. */
export async function startWatching(program: Program): Promise<void> {
  const places = placesOf(program);
  if (Buffer.byteLength(places.socket) > longestSocket)
    throw new Fault(
      "daemon.path",
      Exit.usage,
      `The path of the daemon's socket is too long for this system: ${places.socket}`,
      "Set XDG_STATE_HOME to a shorter folder.",
    );
  makePrivateFolder(places.folder);
  await listed(program, (roots) => roots.add(program.workspace));
  if (await ask(places.socket, "reload")) return;
  startDaemon(daemonCommand(program.places.state), places.folder);
  for (let waited = 0; waited < patienceMs; waited += pauseMs) {
    if (await ask(places.socket, "status")) return;
    await sleep(pauseMs);
  }
  throw new Fault("daemon.silent", Exit.failed, "The daemon does not answer.", "Look at fettle daemon logs.");
}

export async function stopDaemon(program: Program): Promise<void> {
  const { socket } = placesOf(program);
  if (!(await ask(socket, "stop"))) return;
  for (let waited = 0; waited < patienceMs && (await ask(socket, "status")); waited += pauseMs) await sleep(pauseMs);
}

export async function forgetProject(program: Program): Promise<void> {
  await listed(program, (roots) => roots.delete(program.workspace));
  await ask(placesOf(program).socket, "reload");
}

async function listed(program: Program, change: (roots: Set<string>) => void): Promise<void> {
  const places = placesOf(program);
  makePrivateFolder(places.folder);
  if (await changeProjects(places.projects, change)) return;
  throw new Fault("daemon.locked", Exit.failed, "Another fettle changes the list of projects.", "Try again.");
}

export async function daemonStatus(program: Program): Promise<DaemonStatus> {
  const { socket, projects } = placesOf(program);
  const told = await ask(socket, "status");
  if (told) return { running: true, ...told };
  const rows = watchedProjects(projects).map((root) => ({
    ...{ root, state: "due" as const, files: 0, freshAt: 0, watched: false },
  }));
  return { running: false, pid: 0, since: 0, memory: 0, worked: 0, projects: rows };
}

export function daemonLogs(
  program: Program,
  { lines = 100 }: DaemonQuestions["daemon.logs"]["ask"],
): DaemonQuestions["daemon.logs"]["answer"] {
  const { log } = placesOf(program);
  const text = [`${log}.1`, log].map((file) => (existsSync(file) ? readFileSync(file, "utf8") : "")).join("");
  return {
    lines: text
      .split("\n")
      .filter((line) => line !== "")
      .slice(-Math.min(lines, mostLines)),
  };
}

/** systemd reads % and $ as its own, and a path with blanks in quotes. */
const word = (text: string): string => `"${text.replace(/["\\]/g, "\\$&").replace(/%/g, "%%").replace(/\$/g, "$$$$")}"`;

export const daemonUnit = (program: Program): DaemonQuestions["daemon.unit"]["answer"] => ({
  text: `[Unit]
Description=fettle: keeps code indexes fresh

[Service]
ExecStart=${daemonCommand(program.places.state).map(word).join(" ")}
Restart=on-failure
RestartSec=30
NoNewPrivileges=yes
Nice=10
IOSchedulingClass=idle

[Install]
WantedBy=default.target
`,
});
