import { shellWord } from "../../../base/shell-word.ts";
import { ownProof } from "./own.ts";
import { type Look, type Proof, type StackProfile, withReport } from "./profile.ts";

/** pytest runs tests of both kinds, so unittest is meant only when it is named, and pytest is not. */
function proof(test: string, look: Look): Proof | undefined {
  const { files, known, testCommand = "" } = look;
  const named = [...known].some(
    ([name, text]) => /\.(?:toml|cfg|ini|txt)$|Pipfile$|setup\.py$/.test(name) && /\bpytest\b/.test(text),
  );
  const pytest = named || files.some((file) => /(?:^|\/)(?:conftest\.py|pytest\.ini)$/.test(file));
  if (/\bunittest\b/.test(testCommand) && !(pytest && /\bpytest\b/.test(testCommand)))
    return { command: `python3 -m unittest -v ${shellWord(test)}`, format: "unittest" };
  if (!pytest && testCommand.trim() !== "" && !/\b(?:pytest|py\.test|tox|nox)\b/.test(testCommand))
    return ownProof(test, look);
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
};
