// What pipelines and scripts are told by commands inside of their output, and names that are tied to a secret by a hyphen.
import { looksChosen, looksRandom } from "./entropy.ts";
import { promiseOf } from "./names.ts";
import { backOver, type Pattern } from "./spec.ts";
import { looksPassword } from "./structures.ts";

const kept = (name: string): boolean => {
  const promised = promiseOf(name);
  return promised !== undefined && promised.kept !== "weak" && promised.kept !== "hash";
};
const holds = (secret: string): boolean => looksRandom(secret) || looksChosen(secret);
const named = (secret: string, { groups }: RegExpExecArray): boolean => kept(groups?.["name"] ?? "") && holds(secret);

export const pipelinePatterns: readonly Pattern[] = [
  {
    kind: "credential",
    triggers: ["::set-env ", "::set-output ", "::save-state "],
    pattern:
      /::(?:set-env|set-output|save-state) name=(?<name>[\w.-]{1,80})(?:,[^:\n]{0,80})?::(?<secret>[^\s"'`$<>]{6,400})/iy,
    confirm: named,
  },
  {
    kind: "credential",
    triggers: ["::add-mask::"],
    pattern: /::add-mask::(?<secret>[^\s"'`$<>{}]{6,400})/iy,
    confirm: holds,
  },
  {
    kind: "credential",
    triggers: ["##vso[task.setvariable "],
    pattern:
      /##vso\[task\.setvariable variable=(?<name>[\w.-]{1,80})(?<more>[^\]\n]{0,120})\](?<secret>[^\s"'`$<>]{6,400})/iy,
    confirm: (secret, match) =>
      (/issecret=true/i.test(match.groups?.["more"] ?? "") || kept(match.groups?.["name"] ?? "")) && holds(secret),
  },
  {
    // Several lines for a variable: NAME<<EOF.
    kind: "credential",
    triggers: ["<<"],
    start: (text, at) => {
      const from = backOver(text, at, /\w/, 80);
      return from < at ? from : undefined;
    },
    pattern:
      /(?<name>[A-Za-z_]\w{1,79})<<-?["']?(?<end>\w{2,30})["']?["';]?[^\n]{0,60}\r?\n[ \t]{0,12}(?:echo +)?["']?(?<secret>[^\s"'`$<>]{6,400})["']?[^\n]{0,60}\r?\n[ \t]{0,12}(?:echo +)?["']?\k<end>\b/y,
    confirm: named,
  },
  {
    kind: "credential",
    triggers: ["<key>"],
    pattern: /<key>(?<name>[\w.-]{1,80})<\/key>\s{0,40}<string>\s{1,80}(?<secret>[^\s<>]{6,400})\s{1,80}<\/string>/iy,
    confirm: named,
  },
  {
    kind: "credential",
    triggers: ["key-", "token-", "secret-", "password-", "passwd-", "pwd-"],
    start: (text, at) => backOver(text, at, /[A-Za-z0-9_.]/, 40),
    pattern:
      /(?<![\w./\\@-])(?<name>[A-Za-z][\w.]{0,40}?(?:key|token|secret|password|passwd|pwd))-(?<secret>[A-Za-z0-9_]{20,128})(?![\w./\\-])/iy,
    confirm: (secret, match) =>
      kept(match.groups?.["name"] ?? "") &&
      [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(secret)) &&
      looksRandom(secret),
  },
  {
    kind: "newrelic",
    triggers: ["eu01xx", "gov01x"],
    pattern: /(?<![0-9A-Za-z])(?:eu01xx|gov01x)[0-9a-f]{30}NRAL(?![0-9A-Za-z])/y,
  },
  {
    kind: "login",
    triggers: ["wget "],
    pattern:
      /(?<![\w-])wget (?:[^\n|;]{0,300}?\s)?--(?:http-|ftp-|proxy-)?password[ =]["']?(?<secret>[^\s"'$<{]{4,120})/y,
    confirm: (secret) => looksPassword(secret),
  },
];
