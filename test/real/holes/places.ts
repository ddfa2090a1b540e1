// What keeps a contained run where it belongs, each with what takes it out: the generator of workspaces is to find it.
import type { Hole } from "./list.ts";

export const placeHoles: readonly Hole[] = [
  {
    name: "fettle-link",
    was: "a `.fettle` that is a link is shown wherever it leads",
    edits: [
      {
        file: "io/sandbox/mounts.ts",
        from: "    ...from(own),",
        to: '    ...(real(own) ? [{ path: own, kind: "readable" as const, source: { file: real(own) ?? own } }] : []),',
      },
    ],
  },
  {
    name: "git-file",
    was: "a `.git` file of a folder makes the folder visible that it names",
    edits: [
      {
        file: "io/sandbox/mounts.ts",
        from: "!below(entry, folder) && below(spec.workspace, folder)",
        to: "!below(entry, folder)",
      },
      {
        file: "io/git/repositories.ts",
        from: "found.folders.filter(inside)",
        to: "found.folders.filter(() => inside)",
      },
    ],
  },
  {
    name: "git-settings",
    was: "git reads its settings in the folder where programs write",
    edits: [
      {
        file: "guard/fence/git-environment.ts",
        from: "GIT_CONFIG_GLOBAL: gitSettingsFile(temporary),",
        to: "GIT_CONFIG_GLOBAL: `${temporary}/.gitconfig`,",
      },
    ],
  },
  {
    name: "left-out-masks",
    was: "files for secrets are not hidden in folders that are left out",
    edits: [
      {
        file: "io/layers/masks.ts",
        from: "file.startsWith(`${model}/`) && isFile(file)",
        to: "file.startsWith(`${model}/`) && isFile(file) && !/[/](dist|build)[/]/.test(file)",
      },
    ],
  },
  {
    name: "bare-repositories",
    was: "what a run makes may be a repository to git",
    edits: [
      {
        file: "guard/fence/settling.ts",
        from: "verdict: shaped ? repository : sortChange(change, of),",
        to: "verdict: shaped && repository.to ? sortChange(change, of) : sortChange(change, of),",
      },
    ],
  },
  {
    name: "run-later",
    was: "a program may write files that others run or obey later",
    edits: [
      {
        file: "guard/fence/sorting.ts",
        from: 'if (kind === "run-later")\n    return nowhere',
        to: "if (!kind)\n    return nowhere",
      },
    ],
  },
];
