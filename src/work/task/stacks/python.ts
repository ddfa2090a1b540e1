import { shellWord } from "../../../base/shell-word.ts";
import { type Look, type Proof, type StackProfile, withReport } from "./profile.ts";

const moduleOf = (file: string): string =>
  file
    .replace(/^src\//, "")
    .replace(/(?:\/__init__)?\.py$/, "")
    .replaceAll("/", ".");

/** `from a.b import c`, `import a.b`, `from a import b` and `from . import b` take in module a.b. */
function imports(_test: string, text: string, subject: string): boolean {
  const wanted = moduleOf(subject);
  const dot = wanted.lastIndexOf(".");
  const [last, parent] = [wanted.slice(dot + 1), wanted.slice(0, Math.max(0, dot))];
  for (const [, from = "", names = ""] of text.matchAll(/^\s*from\s+([\w.]+)\s+import\s+\(?([\w\s,*]+)/gm)) {
    if (from === wanted || from.replace(/^\.+/, "") === last) return true;
    if ((from === parent || /^\.+$/.test(from)) && names.split(/[\s,]+/).includes(last)) return true;
  }
  return [...text.matchAll(/^\s*import\s+([\w., ]+)/gm)].some(([, names = ""]) =>
    names.split(",").some((name) => (name.trim().split(/\s+/)[0] ?? "") === wanted),
  );
}

/** pytest runs tests of both kinds, so unittest is meant only when it is named, and pytest is not. */
function proof(test: string, { files, known, testCommand = "" }: Look): Proof {
  const named = [...known].some(
    ([name, text]) => /\.(?:toml|cfg|ini|txt)$|Pipfile$|setup\.py$/.test(name) && /\bpytest\b/.test(text),
  );
  const pytest = named || files.some((file) => /(?:^|\/)(?:conftest\.py|pytest\.ini)$/.test(file));
  if (/\bunittest\b/.test(testCommand) && !(pytest && /\bpytest\b/.test(testCommand)))
    return { command: `python3 -m unittest -v ${shellWord(test)}`, format: "unittest" };
  const command = withReport(
    (report) => `python3 -m pytest -q -p no:cacheprovider --junitxml=${report} ${shellWord(test)}`,
  );
  return { command, format: "junit" };
}

export const python: StackProfile = {
  name: "python",
  keywords:
    /\b(?:python\d?|django|flask|fastapi|pytest|pip|pydantic|sqlalchemy|numpy|pandas|celery|poetry|uvicorn|streamlit)\b/i,
  files: /(?:^|\/)(?:pyproject\.toml|setup\.py|setup\.cfg|requirements[\w.-]*\.txt|Pipfile|tox\.ini|manage\.py)$|\.py$/,
  extensions: [".py", ".pyi"],
  manifests: [
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "requirements.txt",
    "requirements-dev.txt",
    "Pipfile",
  ],
  dependencyFolders: [".venv", "venv"],
  buildFolders: ["build", "dist", ".tox", ".nox"],
  lockfiles: ["poetry.lock", "Pipfile.lock", "uv.lock", "pdm.lock", "requirements.txt"],
  programs: ["python3"],
  leftovers:
    /(?:^|\/)(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|[\w.-]+\.egg-info|\.hypothesis)\/|\.pyc$|(?:^|\/)\.coverage$/,
  minutes: 30,
  syntax: (file) => (file.endsWith(".py") ? `python3 -m py_compile ${shellWord(file)}` : undefined),
  proof,
  imports,
};
