import { quoted, type StackProfile } from "./profile.ts";

const moduleOf = (file: string): string =>
  file
    .replace(/^src\//, "")
    .replace(/(?:\/__init__)?\.py$/, "")
    .replaceAll("/", ".");

/** `from a.b import c`, `import a.b`, `from a import b` and `from . import b` take in module a.b. */
function imports(_test: string, text: string, subject: string): boolean {
  const wanted = moduleOf(subject);
  const [last = wanted, parent = ""] = [wanted.split(".").at(-1), wanted.split(".").slice(0, -1).join(".")];
  for (const [, from = "", names = ""] of text.matchAll(/^\s*from\s+([\w.]+)\s+import\s+\(?([\w\s,*]+)/gm)) {
    if (from === wanted || from.replace(/^\.+/, "") === last) return true;
    if ((from === parent || /^\.+$/.test(from)) && names.split(/[\s,]+/).includes(last)) return true;
  }
  return [...text.matchAll(/^\s*import\s+([\w., ]+)/gm)].some(([, names = ""]) =>
    names.split(",").some((name) => (name.trim().split(/\s+/)[0] ?? "") === wanted),
  );
}

export const python: StackProfile = {
  name: "python",
  keywords: /\b(?:python|django|flask|fastapi|pytest|pip)\b/i,
  files: /(?:^|\/)(?:pyproject\.toml|setup\.py|setup\.cfg|requirements[\w.-]*\.txt|Pipfile|tox\.ini)$|\.py$/,
  extensions: [".py"],
  dependencyFolders: [".venv", "venv"],
  lockfiles: ["poetry.lock", "Pipfile.lock", "uv.lock", "pdm.lock", "requirements.txt"],
  programs: ["python3"],
  leftovers: /(?:^|\/)(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache)\/|\.pyc$/,
  syntax: (file) => (file.endsWith(".py") ? `python3 -m py_compile ${quoted(file)}` : undefined),
  proof: (test) => ({
    command: `python3 -m pytest -q -p no:cacheprovider --junitxml=/dev/stdout ${quoted(test)}`,
    format: "junit",
  }),
  imports,
};
