// git's settings: which make git run or reach something else, and which may show credentials.
import { gitHarmlessKeys, gitProgramKeys } from "./table.ts";
import { type Context, note } from "../../command-line/context/context.ts";
import { judgePath } from "../../command-line/context/paths.ts";
import { literal, Origin, type Text, unknown } from "../../command-line/syntax/text.ts";
import { type Form, has } from "./form.ts";
import { operands } from "./paths.ts";

/** A setting given on the command line or written to a file. */
export function judgeKey(text: Text, at: Context): void {
  const equals = text.value.indexOf("=");
  const key = equals < 0 ? text.value : text.value.slice(0, equals);
  const value = equals < 0 ? undefined : text.value.slice(equals + 1);
  if (/^(core\.pager|pager\.\w+)$/i.test(key) && /^(cat|less|more|false|)$/.test(value ?? "?")) return;
  if (/^(core|sequence)\.editor$/i.test(key) && /^(true|:|cat)$/.test(value ?? "?")) return;
  if (text.holes && key.includes("\u0000"))
    note(at, "L3", "git.config", "sets a git setting that is not known beforehand", "hide");
  else if (gitHarmlessKeys.test(key) && !/^core\.pager$/i.test(key)) return;
  else if (gitProgramKeys.test(key))
    note(at, "L3", "git.config", `sets ${key}, which makes git run or reach something else`, "hide");
  else note(at, "L2", "git.config", `sets ${key}`, "git-write");
}

export const config: Form = (words, at) => {
  const plain = operands(words);
  const verb = plain[0]?.value ?? "";
  const file = words.findIndex((word) => /^(-f|--file)$/.test(word.value));
  if (file >= 0 && words[file + 1]) judgePath(words[file + 1] ?? literal(""), "write", at);
  const getting =
    has(words, /^--(get|get-all|get-regexp|get-urlmatch|get-color|get-colorbool|type.*|bool|int|default.*)$/) ||
    verb === "get";
  const keys = plain.filter((word, index) => word.value.includes(".") && index < 2);
  if (has(words, /^(-l|--list)$/) || verb === "list") {
    note(at, "L2", "git.config-list", "shows git's settings, which may hold credentials", "sensitive-read");
    return unknown();
  }
  if (
    has(words, /^(-e|--edit|--add|--replace-all|--unset.*|--rename-section|--remove-section)$/) ||
    /^(set|unset|edit|rename-section|remove-section)$/.test(verb) ||
    (!getting && plain.length >= 2)
  ) {
    for (const key of keys)
      judgeKey({ ...key, value: `${key.value}=${plain[plain.indexOf(key) + 1]?.value ?? ""}` }, at);
    if (has(words, /^(-e|--edit)$/)) note(at, "L2", "git.editor", "opens an editor", "git-write");
    note(at, "L2", "git.config-write", "changes git's settings", "git-write");
    return unknown();
  }
  if (
    keys.some((key) => /credential|token|extraheader|password|url|proxy/i.test(key.value)) ||
    has(words, /regexp|urlmatch/)
  )
    note(at, "L2", "git.config-read", "shows git settings that may hold credentials", "sensitive-read");
  return unknown(Origin.file);
};
