// git: the table decides the subcommand; forms that destroy, send or run something are told apart here.
import { entryOf } from "../../../base/entry.ts";
import { gitHarmlessKeys, gitProgramKeys, gitRow } from "../../rules/git.ts";
import type { Row } from "../../rules/row.ts";
import { type Context, deeper, type Handler, note } from "../context.ts";
import { judgeNetworkWord } from "../hosts.ts";
import { grammarOf, readArguments } from "../options.ts";
import { judgePath, places } from "../paths.ts";
import { constant, type Flow, isStatic, literal, names, Origin, shown, type Text, unknown } from "../shell/text.ts";
import { judgeControlled } from "./git-controlled.ts";
import { beginsBranch, judgeNamed, nameItself, operands } from "./git-paths.ts";
import { judgeRow } from "./table.ts";
import { runText } from "./shells.ts";

/** A setting given on the command line or written to a file. */
function judgeKey(text: Text, at: Context): void {
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

/** Follows `-C`, `--git-dir`, `-c`; answers what is left from the subcommand on. */
function globals(argv: readonly Text[], at: Context): { rest: Text[]; at: Context } {
  const args = readArguments(argv.slice(1), grammarOf(gitRow.options ?? ""), true);
  let inner = at;
  for (const { name, value, rule } of args.given) {
    if (rule.risk) note(at, rule.risk, "program.option", `uses the option ${name}`, "unknown-option");
    if (name === "-c" && value) judgeKey(value, at);
    else if (name === "-C" && value) {
      judgePath(value, "read", inner);
      const scope = inner.scope.fork();
      scope.folders = places(value, inner).map((place) => place.absolute);
      inner = { ...inner, scope };
    } else if ((name === "--git-dir" || name === "--work-tree") && value) {
      judgePath(value, "read", inner);
      note(at, "L2", "git.folder", "uses another repository", "git-write");
    } else if (name === "--exec-path" && value) note(at, "L3", "git.exec-path", "makes git run other programs", "hide");
  }
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  return { rest: args.operands, at: inner };
}

export const git: Handler = (argv, outer) => {
  const { rest, at } = globals(argv, outer);
  const [verb, ...words] = rest;
  if (!verb) return constant;
  if (!isStatic(verb)) {
    note(at, "L2", "shell.dynamic-command", "the git command is not known beforehand", "dynamic");
    return unknown();
  }
  at.run.findings.effect(at.part, "vcs", verb.value, verb.value === "push" ? "irreversible" : "reversible");
  for (const word of words)
    if (
      /^--(upload-pack|receive-pack|exec|upload-archive|open-files-in-pager|ext-diff|textconv|run|cmd|tool|extcmd)(=|$)/.test(
        word.value,
      ) &&
      !/^--(ext-diff|textconv|tool|open-files-in-pager)/.test(word.value)
    ) {
      const code = word.value.includes("=")
        ? { ...word, value: word.value.slice(word.value.indexOf("=") + 1) }
        : words[words.indexOf(word) + 1];
      if (verb.value === "rebase" && code) runText(code, at);
      else note(at, "L3", "git.run", `makes git run another program (${shown(word)})`, "hide");
    }
  judgeControlled(verb.value, words, at);
  const special = entryOf(forms, verb.value);
  const formed = special?.(words, at);
  if (formed) return formed;
  const row = gitRow.subcommands?.find((sub) => sub.names.split(" ").includes(verb.value));
  if (!row) {
    if (words.length === 1 && words[0]?.value === "--help") return constant;
    note(at, "L2", "git.unknown", `git ${verb.value} is not known`, "unknown-program");
    return unknown();
  }
  if (
    words.some((word) => word.value === "--help" || word.value === "-h") &&
    words.length === 1 &&
    verb.value !== "grep"
  )
    return constant;
  const flow = judged(row, verb, words, at);
  return words.some((word) => /^--name-only$/.test(word.value)) &&
    !words.some((word) => /^--(pretty|format)/.test(word.value))
    ? names
    : flow;
};

function judged(row: Row, verb: Text, words: readonly Text[], at: Context): Flow {
  judgeNamed(verb.value, words, row.operands === "g*", at);
  nameItself(row, verb.value, at);
  return judgeRow(
    { ...row, operands: row.operands === "g*" ? "t*" : (row.operands ?? "t*") },
    [literal(`git ${verb.value}`), ...words],
    at,
  );
}

const has = (words: readonly Text[], pattern: RegExp): boolean => words.some((word) => pattern.test(word.value));
type Form = (words: readonly Text[], at: Context) => Flow | undefined;

const destroys = (at: Context, text: string, more: "checkpointable" | "destroy" = "destroy"): undefined => {
  note(at, "L3", more === "checkpointable" ? "git.discard" : "git.destroy", text, "destroy");
  at.run.findings.tags.add(more);
  return undefined;
};

const branch: Form = (words, at) => {
  const plain = operands(words);
  const listing = has(
    words,
    /^(-a|-r|-l|-v|-vv|--list|--all|--remotes|--show-current|--contains.*|--no-contains.*|--merged.*|--no-merged.*|--points-at.*|--sort=.*|--format=.*|--column.*|--no-color|--color.*|--verbose|-i|--ignore-case|-av|-vva|-rv|-ra|-avv|-vr)$/,
  );
  const changing = has(
    words,
    /^(-d|-D|-m|-M|-c|-C|-f|-u|--delete|--move|--copy|--force|--set-upstream-to.*|--unset-upstream|--edit-description|--track.*|-t|-q|--no-track)$/,
  );
  const known = words.every(
    (word) =>
      !word.value.startsWith("-") ||
      /^(-a|-r|-l|-v|-vv|--list|--all|--remotes|--show-current|--contains.*|--no-contains.*|--merged.*|--no-merged.*|--points-at.*|--sort.*|--format.*|--column.*|--no-color|--color.*|--verbose|-i|--ignore-case|-av|-vva|-rv|-ra|-avv|-vr|--abbrev.*)$/.test(
        word.value,
      ),
  );
  if (!changing && known && (listing || plain.length === 0))
    return has(words, /^--format/) ? unknown() : { ...names, from: 0 };
  if (!changing && known && plain.length <= 2) {
    note(at, "L1", "git.branch", "creates a branch");
    return unknown();
  }
  return undefined;
};

const push: Form = (words, at) => {
  const forced = has(
    words,
    /^(-f|--force|--force-with-lease.*|--force-if-includes|--mirror|--delete|-d|--prune|-[a-z]*f[a-z]*)$/,
  );
  const refspec = operands(words)
    .slice(1)
    .some((word) => /^\+|^:|^[^:]*:$/.test(word.value));
  if (forced || refspec) note(at, "L3", "git.force-push", "overwrites or deletes history at the remote", "destroy");
  const remote = operands(words)[0];
  if (remote && /:|\//.test(remote.value)) judgeNetworkWord(remote, at);
  if (has(words, /^(--dry-run|-n)$/)) at.run.findings.tags.add("network");
  return undefined;
};

const config: Form = (words, at) => {
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

const reset: Form = (words, at) => {
  if (has(words, /^--(hard|merge|keep)$/)) return destroys(at, "discards changes in the workspace", "checkpointable");
  return undefined;
};

const clean: Form = (words, at) => {
  if (has(words, /^(-n|--dry-run|-[a-z]*n[a-z]*)$/)) return unknown();
  return destroys(
    at,
    has(words, /^-[a-zA-Z]*[xX]/) ? "deletes untracked and ignored files" : "deletes untracked files",
    has(words, /^-[a-zA-Z]*[xX]/) ? "destroy" : "checkpointable",
  );
};

const readForms =
  (pattern: RegExp): Form =>
  (words) =>
    words.length > 0 && pattern.test(words.map((word) => word.value).join(" ")) ? names : undefined;

const tag: Form = (words) => {
  const flow = has(words, /^(--format|-n)/) ? unknown(Origin.file) : { ...names, from: 0 };
  if (operands(words).length === 0 && !has(words, /^(-d|--delete|-f|-a|-s)$/)) return flow;
  return has(words, /^(-l|--list|--contains|--merged|--points-at)/) && !has(words, /^(-d|--delete)$/)
    ? flow
    : undefined;
};

const remote: Form = (words, at) => {
  if (words.length === 0) return names;
  if (has(words, /^(update|prune|show|-f|--fetch|-a|--auto)$/)) at.run.findings.tags.add("network");
  if (has(words, /^(-v|--verbose|get-url|show)$/) && !has(words, /^(add|set-url|remove|rm|rename|prune|update)$/)) {
    note(at, "L2", "git.remote-read", "shows the remotes' addresses, which may hold credentials", "sensitive-read");
    return unknown();
  }
  const url = operands(words).slice(-1)[0];
  if (url && /^ext::|^fd::/.test(url.value)) note(at, "L3", "git.run", "makes git run another program", "hide");
  return undefined;
};

/** Shows like another subcommand does, with that one's options. */
function shows(verb: string, words: readonly Text[], at: Context): Flow {
  const row = gitRow.subcommands?.find((sub) => sub.names.split(" ").includes(verb));
  if (row) judged(row, literal(verb), words, at);
  return unknown();
}

const reflog: Form = (words, at) => {
  if (has(words, /^(expire|delete|drop)$/)) return destroys(at, "removes the way back to lost commits");
  if (words[0]?.value === "exists") return names;
  shows("log", words[0]?.value === "show" ? words.slice(1) : words, at);
  return names;
};

const stash: Form = (words, at) => {
  if (words[0]?.value === "list") return shows("log", words.slice(1), at);
  if (words[0]?.value === "show")
    return shows(
      "diff",
      words.slice(1).filter((word) => !/^(--(no-)?include-untracked|--only-untracked)$/.test(word.value)),
      at,
    );
  if (/^(drop|clear)$/.test(words[0]?.value ?? "")) at.run.findings.tags.add("delete");
  return undefined;
};

const command =
  (skip: RegExp): Form =>
  (words, at) => {
    const verb = words.findIndex((word) => skip.test(word.value));
    const rest = verb < 0 ? [] : words.slice(verb + 1).filter((word) => !/^(--recursive|--quiet|-q)$/.test(word.value));
    if (rest.length === 1 && rest[0]) runText(rest[0], at);
    else if (rest.length > 1) at.run.judge.argv(rest, deeper(at));
    return undefined;
  };

const rebase: Form = (words, at) => {
  words.forEach((word, index) => {
    const code =
      word.value === "-x"
        ? words[index + 1]
        : /^-x./.test(word.value)
          ? { ...word, value: word.value.slice(2) }
          : undefined;
    if (code) runText(code, at);
  });
  return undefined;
};

const clone: Form = (words, at) => {
  const [url, folder] = operands(words).filter(
    (word, index, all) =>
      !/^(-b|--branch|--depth|-o|--origin|-j|--jobs|--filter|-c|--config)$/.test(
        words[words.indexOf(all[index] ?? word) - 1]?.value ?? "",
      ),
  );
  const settings = words.filter((_, index) => /^(-c|--config)$/.test(words[index - 1]?.value ?? ""));
  for (const setting of settings) judgeKey(setting, at);
  if (has(words, /^(-u|--upload-pack|--template)/)) note(at, "L3", "git.run", "makes git run another program", "hide");
  if (url && /^(ext|fd)::/.test(url.value)) note(at, "L3", "git.run", "makes git run another program", "hide");
  if (url) judgeNetworkWord(url, at);
  const target = folder ?? literal(/([^/:]+?)(\.git)?\/*$/.exec(url?.value ?? "")?.[1] ?? "");
  if (target.value !== "" && /^\w+:\/\/(?!\/)|^[\w.-]+@[\w.-]+:/.test(url?.value ?? ""))
    for (const { absolute, partial } of places(target, at))
      if (!partial) at.run.written.set(`${absolute}/`, Origin.network);
  if (folder) judgePath(folder, "create", at);
  return undefined;
};

const checkout: Form = (words, at) => {
  if (beginsBranch(words, at)) return unknown();
  const whole = words.some(({ value }) => /^(\.\/?|\*|:\/)$/.test(value)) && !has(words, /^(--staged|-S|-p|--patch)$/);
  if (whole || has(words, /^(-f|--force|--discard-changes)$/))
    return destroys(at, "discards changes in the workspace", "checkpointable");
  return undefined;
};

const update: Form = (words, at) => {
  if (has(words, /^(-g|--force|--prune=now|--aggressive)$/) && has(words, /^--prune=now$/))
    return destroys(at, "removes the way back to lost commits");
  return undefined;
};

const removal: Form = (words, at) => {
  for (const word of operands(words))
    judgePath(word, has(words, /^--cached$/) ? "read" : has(words, /^-r/) ? "destroy" : "delete", at);
  return undefined;
};

const apply: Form = (words, at) => {
  if (
    words.length > 0 &&
    has(words, /^--(check|stat|numstat|summary)$/) &&
    !has(words, /^(--apply|--index|--3way|-3)$/)
  ) {
    for (const word of operands(words)) judgePath(word, "read", at);
    return unknown();
  }
  if (has(words, /^--unsafe-paths$/)) note(at, "L3", "git.unsafe-paths", "may write outside the workspace", "outside");
  return undefined;
};

const archive: Form = (words, at) => {
  if (has(words, /^--(remote|exec)/)) note(at, "L3", "git.run", "asks another host to run a program", "exfiltrate");
  return undefined;
};

const bisect: Form = (words, at) =>
  /^(log|view|visualize|terms)$/.test(words[0]?.value ?? "") ? unknown() : command(/^run$/)(words, at);
const forms: Record<string, Form | undefined> = {
  branch,
  push,
  config,
  reset,
  clean,
  tag,
  remote,
  reflog,
  stash,
  rebase,
  clone,
  checkout,
  switch: checkout,
  restore: checkout,
  rm: removal,
  apply,
  archive,
  bisect,
  gc: update,
  submodule: (words, at) => {
    if (/^(status|summary)$/.test(words[0]?.value ?? "status")) return unknown();
    if (has(words.slice(0, 1), /^(add|update)$/)) at.run.findings.tags.add("network");
    return command(/^foreach$/)(words, at);
  },
  subtree: talks(/^(add|pull|push)$/),
  maintenance: talks(/^(run|start)$/),
  "request-pull": talks(/^/),
  worktree: readForms(/^list\b/),
  notes: readForms(/^(show|list)\b/),
  "symbolic-ref": readForms(/^(--short |-q )*HEAD$/),
  lfs: (words, at) => {
    const reads = /^(ls-files|status|env|version)$/.test(words[0]?.value ?? "");
    return reads ? names : talks(/^(fetch|pull|push|clone|prune|locks?|unlock)$/)(words, at);
  },
  bundle: readForms(/^(verify|list-heads)\b/),
  "cat-file": (words, at) => {
    // No path stands beside such an object, so its content cannot be hidden by what its file is called.
    const nameless = operands(words).some((word) => word.holes || /^[0-9a-f]{4,64}$/i.test(word.value));
    if (has(words, /^--batch(=|$|-command)/) || (nameless && has(words, /^(-p|blob)$/)))
      note(at, "L2", "git.objects", "shows objects whatever file they are of", "sensitive-read");
    return undefined;
  },
  "sparse-checkout": readForms(/^list\b/),
  var: (words, at) => {
    if (has(words, /^-l$/))
      note(at, "L2", "git.config-list", "shows git's settings, which may hold credentials", "sensitive-read");
    return undefined;
  },
  difftool: (words, at) => (has(words, /^(-x|--extcmd)/) ? destroysRun(at) : undefined),
  mergetool: undefined,
  init: (words, at) => (has(words, /^--template/) ? destroysRun(at) : undefined),
};

/** Reaches a remote by these verbs. */
function talks(verbs: RegExp): Form {
  return (words, at) => {
    if (has(words.slice(0, 1), verbs)) at.run.findings.tags.add("network");
    return undefined;
  };
}

function destroysRun(at: Context): undefined {
  note(at, "L3", "git.run", "makes git run another program", "hide");
  return undefined;
}
