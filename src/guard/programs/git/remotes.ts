// The forms of git that talk to a remote.
import { note } from "../../command-line/context/context.ts";
import { judgeNetworkWord } from "../../command-line/context/hosts.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import { literal, names, Origin, unknown } from "../../command-line/syntax/text.ts";
import { judgeKey } from "./config.ts";
import { type Form, has, runsAnother } from "./form.ts";
import { operands } from "./paths.ts";

export const push: Form = (words, at) => {
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

export const remote: Form = (words, at) => {
  if (words.length === 0) return names;
  if (has(words, /^(update|prune|show|-f|--fetch|-a|--auto)$/)) at.run.findings.tags.add("network");
  if (has(words, /^(-v|--verbose|get-url|show)$/) && !has(words, /^(add|set-url|remove|rm|rename|prune|update)$/)) {
    note(at, "L2", "git.remote-read", "shows the remotes' addresses, which may hold credentials", "sensitive-read");
    return unknown();
  }
  const url = operands(words).slice(-1)[0];
  if (url && /^ext::|^fd::/.test(url.value)) runsAnother(at);
  return undefined;
};

export const clone: Form = (words, at) => {
  const [url, folder] = operands(words).filter(
    (word, index, all) =>
      !/^(-b|--branch|--depth|-o|--origin|-j|--jobs|--filter|-c|--config)$/.test(
        words[words.indexOf(all[index] ?? word) - 1]?.value ?? "",
      ),
  );
  const settings = words.filter((_, index) => /^(-c|--config)$/.test(words[index - 1]?.value ?? ""));
  for (const setting of settings) judgeKey(setting, at);
  if (has(words, /^(-u|--upload-pack|--template)/)) runsAnother(at);
  if (url && /^(ext|fd)::/.test(url.value)) runsAnother(at);
  if (url) judgeNetworkWord(url, at);
  const target = folder ?? literal(/([^/:]+?)(\.git)?\/*$/.exec(url?.value ?? "")?.[1] ?? "");
  if (target.value !== "" && /^\w+:\/\/(?!\/)|^[\w.-]+@[\w.-]+:/.test(url?.value ?? ""))
    for (const { absolute, partial } of places(target, at))
      if (!partial) at.run.written.set(`${absolute}/`, Origin.network);
  if (folder) judgePath(folder, "create", at);
  return undefined;
};

/** Reaches a remote by these verbs. */
export function talks(verbs: RegExp): Form {
  return (words, at) => {
    if (has(words.slice(0, 1), verbs)) at.run.findings.tags.add("network");
    return undefined;
  };
}
