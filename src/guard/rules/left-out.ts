// Folders that tools fill: no checkpoint covers them, and what is deleted there is made anew.

/** Tools fill these anew, and no checkpoint covers them. */
export const dependencyFolders =
  /(^|\/)(node_modules|bower_components|\.venv|venv|virtualenv|site-packages|\.tox|\.nox|\.eggs|[^/]+\.egg-info|__pycache__|__pypackages__|\.(?:pytest|mypy|ruff|hypothesis|gradle|parcel|turbo|nx|eslint|rpt2|angular|svelte-kit|sass|stylelint|vite)[-_]?cache|\.hypothesis|\.gradle|\.turbo|\.cache|\.nyc_output|\.next|\.nuxt|\.angular|\.svelte-kit|\.dart_tool|\.mvn-repo|_build|deps\/_build)(\/|$)/;

/** Folders and files that a build makes anew from what it is given. */
export const outputs =
  /(^|\/)(dist|build|out|output|outputs|target|bin|obj|lib|libs|es|esm|cjs|umd|_site|site|public|www|generated|release|debug|types|typings|storybook-static|\.output|[^/]+\.tsbuildinfo|[^/]+\.(?:o|a|so|class|wasm|js\.map|d\.ts))(\/|$)/i;

/** By its name alone; `at` is relative to the workspace. Names under which sources lie, too (`lib`, `public`), are left out. */
export const filledByTools = (at: string): boolean =>
  dependencyFolders.test(at) || /(^|\/)(dist|build|out|target|coverage|\.output)$/.test(at);

/** More deleted files than this are no question that a person could answer. */
export const mostAsked = 200;
