import fc from "fast-check";
import { expect, test } from "vitest";
import { runLaterGroups, runsLater } from "../../src/guard/rules/run-later.ts";
import { assess } from "../../src/guard/assess/assess.ts";
import { plainWorld } from "./facts.ts";

/** One kind a row. None of these words was copied from the table: they come from the tools' own documents. */
const kinds: readonly [string, string][] = [
  [
    "instructions of agents",
    "AGENTS.md AGENT.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md WARP.md CRUSH.md .clinerules .clinerules/style.md .windsurf/rules/a.md .windsurfrules .cursor/rules/a.mdc .cursorrules .kiro/hooks/on-save.kiro.hook .kiro/steering/tech.md .junie/guidelines.md .amazonq/rules/x.md .augment/rules/y.md .augment-guidelines .roo/rules/z.md .roomodes .kilocode/rules/a.md .trae/rules/project_rules.md .goosehints .aider.conf.yml .continue/config.yaml .factory/droids/a.md .qwen/settings.json .opencode/agent/a.md opencode.json opencode.jsonc crush.json .github/copilot-instructions.md .github/instructions/ts.instructions.md .github/prompts/x.prompt.md .rules .zed/settings.json .openhands/microagents/repo.md .codebuddy/rules/a.md .iflow/settings.json .agents/skills/x/SKILL.md .agent/rules/a.md skills/x/SKILL.md .mcp.json mcp.json .idx/airules.md firebender.json .vibe/config.toml .pi/prompts/a.md replit.md .tabnine/guidelines/a.md .rovodev/config.yml .claude/settings.json .claude-plugin/plugin.json .gemini/commands/a.toml .codex/config.toml .warp/rules.md",
  ],
  [
    "editors and development containers",
    ".vscode/settings.json .vscode/tasks.json .idea/workspace.xml x.code-workspace .vim/coc-settings.json .exrc .nvim.lua .dir-locals.el .zed/tasks.json .fleet/run.json a.sublime-project .devcontainer.json .devcontainer/devcontainer.json .devcontainer/post.sh .gitpod.yml devfile.yaml Vagrantfile .replit replit.nix shell.nix devbox.json .idx/dev.nix .project .classpath .settings/org.eclipse.x.prefs app.xcodeproj/project.pbxproj .helix/languages.toml .lvimrc .nova/Tasks/a.json",
  ],
  [
    "continuous integration",
    ".github/workflows/ci.yml .gitlab-ci.yml .circleci/config.yml .travis.yml Jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .drone.yml .woodpecker.yml .woodpecker/a.yml .cirrus.yml .cirrus.star appveyor.yml .appveyor.yml buildspec.yml cloudbuild.yaml .buildkite/pipeline.yml bitrise.yml codemagic.yaml codeship-steps.yml .semaphore/semaphore.yml wercker.yml .teamcity/settings.kts .builds/a.yml .build.yml screwdriver.yaml .zuul.yaml bamboo-specs/bamboo.yaml .vela.yml codefresh.yml .gitea/workflows/a.yml .forgejo/workflows/a.yml .tekton/a.yaml action.yml ci_scripts/ci_post_clone.sh .harness/a.yaml dagger.json Earthfile .ci/build.sh",
  ],
  [
    "builds of many languages",
    "package.json Cargo.toml build.rs .cargo/config.toml go.mod pom.xml build.gradle settings.gradle.kts gradle/wrapper/gradle-wrapper.properties init.gradle build.sbt project/plugins.sbt project/build.properties build.mill project.clj deps.edn mix.exs rebar.config gleam.toml stack.yaml a.cabal cabal.project Setup.hs dune dune-project a.opam shard.yml a.nimble config.nims build.zig dub.json xmake.lua premake5.lua conanfile.py vcpkg.json CMakeLists.txt CMakePresets.json x.cmake meson.build SConstruct wscript BUILD BUILD.bazel MODULE.bazel .bazelrc a.bzl pants.toml Package.swift a.csproj Directory.Build.props Directory.Build.targets build.cake global.json composer.json Gemfile a.gemspec Rakefile cpanfile Makefile.PL DESCRIPTION renv.lock Project.toml deps/build.jl a.rockspec flake.nix foundry.toml elm.json spago.yaml a.gpr fpm.toml platformio.ini project.godot haxelib.json Snakefile nextflow.config Makefile GNUmakefile x.mk configure.ac build.ninja",
  ],
  [
    "checkers, formatters and test runners",
    ".pylintrc pylintrc mypy.ini .flake8 tox.ini setup.cfg pytest.ini conftest.py noxfile.py .coveragerc phpunit.xml phpunit.xml.dist phpstan.neon psalm.xml .php-cs-fixer.php rector.php .rubocop.yml .rspec .eslintrc.json eslint.config.mjs .prettierrc prettier.config.js .stylelintrc.yml tslint.json biome.json .mocharc.yml jest.config.ts vitest.config.ts vitest.workspace.ts karma.conf.js playwright.config.ts cypress.config.ts wdio.conf.js .nycrc .c8rc.json .golangci.yml .swiftlint.yml .luacheckrc .perlcriticrc .lintr .credo.exs detekt.yml checkstyle.xml .scalafix.conf analysis_options.yaml .yamllint .markdownlint-cli2.jsonc .textlintrc .remarkrc.mjs .cspell.json codecept.conf.js .busted stryker.conf.json behat.yml",
  ],
  [
    "interpreters, shells and debuggers as they start",
    ".ghci .Rprofile .irbrc .pryrc .pdbrc .iex.exs .gdbinit .lldbinit .bashrc .zshrc .zshenv .profile .inputrc .config/fish/config.fish .octaverc .sqliterc .psqlrc .guile .sbclrc .perldb .tclshrc .ocamlinit .utoprc .erlang .emacs .vimrc .screenrc .tmux.conf .pythonrc.py ipython_config.py startup.jl profile.ps1 usercustomize.py .envrc .direnvrc .tclsh .lesskey",
  ],
  [
    "package managers",
    ".npmrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml deno.json pip.conf uv.toml poetry.toml pyproject.toml requirements.txt requirements/dev.txt Pipfile .gemrc .bundle/config nuget.config NuGet.Config .condarc environment.yml pixi.toml .tool-versions mise.toml .mise.toml .sdkmanrc .cargo/config .mvn/maven.config .mvn/extensions.xml gradle.properties yarn.lock Cargo.lock uv.lock package-lock.json .pnp.cjs .yarn/releases/yarn.cjs cpanfile",
  ],
  [
    "hooks of git",
    ".husky/pre-commit .githooks/pre-push githooks/commit-msg lefthook.yml lefthook-local.yml .lefthook.toml .pre-commit-config.yaml .lintstagedrc.json lint-staged.config.js .simple-git-hooks.json .overcommit.yml captainhook.json grumphp.yml hooks/post-checkout .gitattributes .gitmodules .gitconfig",
  ],
  [
    "deployment",
    "cdk.json ansible.cfg playbook.yml main.tf terragrunt.hcl Pulumi.yaml serverless.yml template.yaml samconfig.toml appspec.yml fly.toml vercel.json netlify.toml wrangler.toml render.yaml railway.json Procfile app.yaml firebase.json docker-compose.yml compose.yaml compose.prod.yaml Dockerfile Dockerfile.dev Containerfile Chart.yaml charts/a/templates/a.yaml kustomization.yaml skaffold.yaml helmfile.yaml k8s/deployment.yaml job.nomad web.service backup.timer org.x.plist crontab nixpacks.toml amplify.yml supervisord.conf Caddyfile nginx.conf .platform.app.yaml .ebextensions/a.config captain-definition",
  ],
  [
    "task runners",
    "Justfile justfile .justfile Taskfile.yml taskfile.dist.yaml Makefile.toml Tiltfile tasks.py fabfile.py dodo.py gulpfile.js Gruntfile.js Jakefile turbo.json nx.json project.json lerna.json moon.yml .moon/tasks.yml magefile.go maskfile.md plopfile.mjs nodemon.json ecosystem.config.js lage.config.js rush.json Guardfile Thorfile Capfile",
  ],
];

test.each(kinds)("others run or obey later: %s", (_kind, names) => {
  const missed = names
    .split(" ")
    .filter((name) => !runsLater(name) || (!runsLater(name.toUpperCase()) && !/^(BUILD|DESCRIPTION)$/.test(name)));
  expect(missed).toEqual([]);
  // Most of these count in any folder; a few words are anybody's below the top.
  const deep = names.split(" ").filter((name) => !runsLater(`packages/one/${name}`));
  expect(deep).toEqual(names.split(" ").filter((name) => /^replit\.md$/.test(name) && deep.includes(name)));
});

test("sources, documents and data are nobody's settings", () => {
  const plain =
    "README.md CHANGELOG.md LICENSE CONTRIBUTING.md docs/guide.md docs/guide/hooks.md docs/rules.md docs/tools.md docs/codex.md docs/makefile.md docs/jest.md src/index.ts src/config.ts src/config/index.ts src/package.ts src/setup.ts src/build.ts src/hooks/use.ts src/deploy/index.ts src/ci/parse.ts src/commands/add.ts src/agents/a.ts src/profile.ts src/update.ts src/crc.js lib/init.lua src/main.rs src/lib.rs cmd/main.go app/models/user.rb src/Main.java include/a.h data/list.json data/users.json data/tasks.json fixtures/settings.json assets/logo.svg index.html styles/a.css notes.txt a.csv a.sql scripts/run.sh scripts/build.py test/a.test.ts tests/test_a.py spec/a_spec.rb test/config.test.ts tsconfig.json tsconfig.build.json .gitignore .dockerignore .editorconfig .gitkeep .env.example .prettierignore .changeset/nice-cat.md build/a.o dist/index.js src build docs .cache/x .pytest_cache/v/x .next/server/a.js openapi.json manifest.json public/robots.txt locales/de.yml".split(
      " ",
    );
  expect(plain.filter((name) => runsLater(name))).toEqual([]);
});

test("property: no spelling that a file system takes for the same name gets past the table", () => {
  const names = kinds.flatMap(([, text]) => text.split(" ")).filter((name) => !/^[A-Z]+$/.test(name));
  const spellings = fc.constantFrom<(name: string) => string>(
    (name) => name.toUpperCase(),
    (name) => `${name}.`,
    (name) => `${name} `,
    (name) => `${name}::$DATA`,
    (name) => `${name.slice(0, 2)}\u200c${name.slice(2)}`,
    (name) => name.replace("k", "\u212a"),
    (name) => name.replace("s", "\u017f"),
  );
  fc.assert(
    fc.property(fc.constantFrom(...names), spellings, (name, spell) => {
      expect(runsLater(spell(name)), spell(name)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("every group says where its names come from, and what it names is asked about", () => {
  for (const group of runLaterGroups) expect(group.source.length, group.kind).toBeGreaterThan(10);
  for (const name of ["WARP.md", ".kiro/hooks/a.json", "lefthook-local.yml", "a/b/.cirrus.yml"]) {
    const written = assess({ kind: "change", changes: [{ op: "write", path: name, content: "x" }] }, plainWorld);
    expect([written.risk, written.tags.includes("run-later")], name).toEqual(["L2", true]);
  }
});
