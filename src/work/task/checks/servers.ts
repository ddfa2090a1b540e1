// Commands that do not end: which they are, where they listen, and when they count as up.
import { scriptsOf } from "./sources/package-scripts.ts";
import { type Look, nearest } from "../stacks/profile.ts";
import servers from "../../../../assets/programs/servers.json" with { type: "json" };

export interface Server {
  port: number;
  /** `flag`: the command says it; `default`: the program is known for it. */
  by: "flag" | "default";
}

interface Known {
  pattern: RegExp;
  /** 0: it says no port of its own. */
  port: number;
}

/** Ports that programs listen on when nobody says otherwise. */
const known: readonly Known[] = servers.map(({ pattern, port }) => ({ pattern: new RegExp(pattern), port }));

/** A port that is written out in a command. */
export function portOf(command: string): number | undefined {
  const published = /\bdocker\s+run\b.*?\s(?:-p|--publish)[\s=](?:[\d.]+:)?(\d{2,5}):\d+/.exec(command)?.[1];
  const forms = [
    /(?:^|\s)--(?:server[.-])?(?:http-)?port[=\s]+(\d{2,5})\b/,
    /(?:^|\s)-p[=\s]?(\d{2,5})\b/,
    /(?:^|\s)(?:--(?:bind|listen|addr(?:ess)?|host|server-addr)|-b|-S|-l)[=\s]+(?:\S*?:)(\d{2,5})\b/,
    /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d{2,5})\b/,
    /(?:^|\s)(?:\w+_)?PORT=(\d{2,5})\b/,
    /-Dserver\.port=(\d{2,5})\b/,
    /\bhttp\.server\s+(\d{2,5})\b/,
    /\brunserver\s+(?:\S*:)?(\d{2,5})\b/,
    /(?:^|\s):(\d{2,5})\b/,
  ];
  const found = published ?? forms.map((form) => form.exec(command)?.[1]).find((port) => port !== undefined);
  const port = Number(found);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

const runsScript = /^(?:npm|pnpm|yarn|bun)(?:\s+(?:--\S+|-\w))*\s+(?:run(?:-script)?\s+)?([\w:.-]+)/;
const deepest = 4;

/** What a package script runs in the end; other commands stay as they are. */
function scriptOf(command: string, { files, known }: Pick<Look, "files" | "known">, depth = 0): string {
  const [, moved, rest = command] = /^\s*cd\s+(\S+)\s*&&\s*([\s\S]*)$/.exec(command) ?? [];
  const folder = moved?.replace(/^\.\/|\/$/g, "") ?? "";
  const text = rest.trim().replace(/^((?:\w+=\S+\s+)*)/, "");
  const name = runsScript.exec(text)?.[1];
  if (name === undefined || depth >= deepest) return command;
  const file = nearest(files, folder === "" ? "x" : `${folder}/x`, /^package\.json$/)?.file ?? "package.json";
  const script = scriptsOf(known.get(file))[name];
  const behind = / -- ([\s\S]*)$/.exec(text)?.[1];
  const own = [...rest.matchAll(/^(?:(\w*PORT=\d+)\s)/g)].map(([, value]) => value);
  if (typeof script !== "string") return command;
  return scriptOf([...own, script, behind].filter(Boolean).join(" "), { files, known }, depth + 1);
}

/** Tests and builds end, also when they name a server's program. */
const ends = /(?:^|\s)(?:--(?:help|version|check|dry-run|build)|build|test|lint|migrate|install|collectstatic)(?=\s|$)/;

/** Undefined for a command that is expected to end by itself. Port 0 is one that nobody can tell beforehand. */
export function serverOf(
  command: string,
  look: Pick<Look, "files" | "known"> = { files: [], known: new Map() },
): Server | undefined {
  const run = scriptOf(command, look);
  const last = run.split(/&&|;/).at(-1)?.trim() ?? run;
  const found = known.find(({ pattern }) => pattern.test(last));
  const script = runsScript.exec(last.replace(/^(?:\w+=\S+\s+)+/, ""))?.[1];
  const starts = script !== undefined && /^(?:start|dev|serve|preview)(?::|$)/.test(script);
  if ((!found && !starts) || ends.test(last)) return undefined;
  const port = portOf(last) ?? portOf(run) ?? portOf(command);
  if (port !== undefined) return { port, by: "flag" };
  return { port: found?.port ?? 3000, by: "default" };
}

/** A port that a process says it listens on, in what it has printed so far; the last one told counts. */
export function portIn(output: string): number | undefined {
  const told = [
    ...output.matchAll(
      /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|\*)?:(\d{2,5})\b|\b(?:listening|running|started|serving)\b[^\n]{0,60}?\b(?:port\s*|:)(\d{2,5})\b/gi,
    ),
  ].at(-1);
  const port = Number(told?.[1] ?? told?.[2]);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** How a server is waited for. */
interface HealthPlan {
  /** Before the first look. */
  settleMs: number;
  tries: number;
  everyMs: number;
  /** While the process lives, it is looked at further, but no longer than this. */
  mostMs: number;
}

export const healthPlan: HealthPlan = { settleMs: 200, tries: 3, everyMs: 2000, mostMs: 30_000 };

interface HealthLook {
  /** Looks so far, this one included. */
  looks: number;
  sinceMs: number;
  alive: boolean;
  /** Something answered at the port; what it answered does not matter. */
  answered: boolean;
}

export type HealthStep = { kind: "up" } | { kind: "wait"; ms: number } | { kind: "down"; why: string };

/** What follows from a look. A process that has ended is down at once, whoever else answers at its port. */
export function healthStep({ looks, sinceMs, alive, answered }: HealthLook, plan: HealthPlan = healthPlan): HealthStep {
  if (!alive) return { kind: "down", why: "it ended by itself" };
  if (answered) return { kind: "up" };
  const left = plan.mostMs - sinceMs;
  // Most are up in no time: the first looks are closer together.
  const everyMs = looks < plan.tries ? Math.min(plan.everyMs, plan.settleMs * 2 ** looks) : plan.everyMs;
  if (looks < plan.tries || left > 0)
    return { kind: "wait", ms: Math.max(1, Math.min(everyMs, left > 0 ? left : everyMs)) };
  return { kind: "down", why: `nothing answered within ${Math.round(sinceMs / 1000)} s` };
}
