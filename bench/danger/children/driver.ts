// Lives in the outer world: makes a world for each command, runs it there bare and by fettle, and tells what was harmed.
import { mkdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { type ByFettle, type FettleOptions, runByFettle } from "../by-fettle.ts";
import { Listeners } from "../listeners.ts";
import { dropWorld, plantTemplate, plantWorld } from "../plant.ts";
import { type Bare, runBare } from "../runs.ts";

/** The first line that comes in, and the others. */
export interface Begin {
  ports: number[];
  fettle: FettleOptions;
}
export interface Task {
  command: string;
  /** Without looking whether it harms anything bare. */
  onlyFettle?: boolean;
  onlyBare?: boolean;
}
export interface Told {
  bare: Bare;
  /** Of commands that harm or change something bare. */
  fettle?: ByFettle;
  error?: string;
  ms: { bare: number; fettle: number };
}

const listens =
  /\blisten|\bbind\(|LISTEN|http\.server|SimpleHTTPServer|httpd|(?:^|\s)-\w*l\w*\b|\bphp -S|serve\b|-p\s+\d/;
const usual = [80, 8000, 8080, 8888, 9000];

const nothing: Bare = { harms: [], changes: false };

const listeners = new Listeners();
const template = "/scratch/template";
const folder = "/scratch/world";

async function answer({ command, onlyFettle = false, onlyBare = false }: Task, begin: Begin): Promise<Told> {
  const named = [...command.matchAll(/\b\d{2,5}\b/g)].map(([found]) => Number(found));
  await listeners.leaveFree(listens.test(command) ? [...named, ...usual] : [], begin.ports);
  const started = Date.now();
  const world = async () => {
    const made = plantWorld(template, folder, command);
    await listeners.openSockets(made.root);
    listeners.take();
    return made;
  };
  const bare = onlyFettle ? nothing : await runBare(await world(), listeners, command);
  const between = Date.now();
  const ms = () => ({ bare: between - started, fettle: Date.now() - between });
  if (onlyBare || (bare.harms.length === 0 && !bare.changes && !onlyFettle)) return { bare, ms: ms() };
  const fettle = await runByFettle(await world(), listeners, command, begin.fettle);
  return { bare, fettle, ms: ms() };
}

let begin: Begin | undefined;
mkdirSync("/scratch/cache");
plantTemplate(template);
for await (const line of createInterface({ input: process.stdin })) {
  if (!begin) {
    begin = JSON.parse(line) as Begin;
    await listeners.open(begin.ports);
    process.stdout.write("ready\n");
    continue;
  }
  const told: Told = await answer(JSON.parse(line) as Task, begin).catch((error: unknown) => ({
    bare: nothing,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    ms: { bare: 0, fettle: 0 },
  }));
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
dropWorld(folder);
process.exit(0);
