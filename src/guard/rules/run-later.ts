// Files that a program, a machine or another agent runs or obeys later. The table is data; each group names its source.
import { plainPath } from "./plain-path.ts";

interface Group {
  kind: string;
  /** Where the names were taken from. docs/guide/risk.md tells how the lists were read. */
  source: string;
  /** Base names, at any depth; `*` stands for any run of characters within the name. */
  names?: string;
  /** Whole paths below any folder; `*` stays within a part, `**` does not. */
  paths?: string;
  /** Paths that count at the top of the workspace only: below it they are anybody's words. */
  top?: string;
}

/**
 * Every name that begins with a dot is the setting of some program, and every folder of that name holds such settings:
 * linguist, the schema store and the icon theme list about 700 of them, and new tools bring new ones. So they are all run
 * or obeyed later, but for these, which say nothing to a program but what it leaves out or how text looks.
 */
const quietDots =
  /^\.(?:[\w.-]*ignore|(?:git)?keep|editorconfig|env(?:\..*)?|ds_store|mailmap|nojekyll|all-contributorsrc|git-blame-ignore-revs|gitmessage|clang-format|gitinclude|placeholder|empty|hushlogin|[\w-]*cache|coverage(?:\..*)?|.*\.(?:sw[a-p]|tmp|bak|log|pid|lock))$/;

/** Folders that tools fill for themselves, and what stands in them is made again. */
const quietFolders =
  /^\.(?:cache|[\w-]+[-_]cache|nyc_output|coverage|hypothesis|ipynb_checkpoints|next|nuxt|output|svelte-kit|turbo|angular|expo|dart_tool|gradle|kotlin|stack-work|cpcache|bloop|metals|lein-deps-sum|build|zig-cache|elixir_ls|tmp|temp|scratch|logs?|pytest_cache|fettle-tmp)$/;

/** Notes for people that stand in such folders. */
const quietPaths = /(^|\/)\.changeset\/[^/]+\.md$/;

const groups: readonly Group[] = [
  {
    kind: "packages of JavaScript",
    source: "docs of npm, pnpm, yarn, bun, deno, lerna, nx, turborepo, rush; schema store",
    names:
      "package.json package-lock.json package.json5 package.yaml npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb bunfig.toml deno.json deno.jsonc deno.lock jsr.json jsr.jsonc import-map.json import_map.json importmap.json lerna.json nx.json turbo.json turbo.jsonc rush.json lage.config.* moon.yml moon.yaml project.json angular.json angular-cli.json nest-cli.json nestcli.json bower.json binding.gyp *.gyp *.gypi renovate.json renovate.json5 renovate-config.json nodemon.json nodemon-*.json ecosystem.json now.json sandbox.config.json volta.json shadow-cljs.edn",
  },
  {
    kind: "configuration that is a program, or names modules to load",
    source: "cosmiconfig and lilconfig search places; schema store; docs of each tool",
    names:
      "*.config.*.js *.config.*.cjs *.config.*.mjs *.config.*.ts *.config.*.mts *.config.*.cts *.config.*.json *.config.js *.config.cjs *.config.mjs *.config.jsx *.config.ts *.config.cts *.config.mts *.config.tsx *.config.coffee *.config.json *.config.jsonc *.config.json5 *.config.yaml *.config.yml *.config.toml *.config.php *.config.py *.config.rb *.config.lua *.conf.js *.conf.cjs *.conf.mjs *.conf.ts *.conf.mts *.conf.cts *.conf.json *.conf.coffee *.setup.js *.setup.ts *.setup.mjs *.setup.cjs *.setup.tsx *.rc.js *.rc.ts *.rc.cjs *.rc.mjs *.workspace.js *.workspace.ts *.workspace.json gatsby-*.js gatsby-*.ts gatsby-*.mjs webpack.*.js webpack.*.ts webpack.*.cjs webpack.*.mjs webpack.*.mts webpack.*.cts webpack.js webpack.ts webpackfile.* esbuild.*.js esbuild.*.mjs esbuild.*.cjs esbuild.*.ts karma-main.* jest*.json jest.teardown.* jest.preset.* *.workspace.mjs *.workspace.mts *.workspace.cjs babel-transform.js gatsby-*.tsx gridsome.server.js ember-cli-builds.js nestconfig.json ui5*.yaml *-ui5.yaml *.ui5.yaml nswag.json browserslist rollup-config.* auto-config.* jest.setup*.* vitest.setup*.* wallaby.js fuse.js knip.ts knip.js knip.json knip.jsonc typedoc.js typedoc.json jsdoc.js* jsdoc.conf.* size-limit.json serverless.js serverless.ts vercel.ts esbuild.js esbuild.mjs esbuild.ts plopfile.* gulpfile.* gruntfile.* jakefile.* cakefile.* dangerfile.* lintfile.* mocha.opts",
  },
  {
    kind: "checkers, formatters, test runners",
    source: "docs of each tool; schema store; linguist",
    names:
      "tslint.json tslint.y*ml biome.json biome.jsonc rome.json coffeelint.json dprint.json oxlint.json jshint.json jscsrc.json putout.json cypress.json cypress.env.json nightwatch.json jasmine.json wdio.*.js chutzpah.json xunit.runner.json *.runsettings testplan.* *.xctestplan codecept.*.js backstop.json pylintrc *.pylintrc mypy.ini pytest.ini pytest.toml tox.ini tox.toml setup.cfg ruff.toml black.toml ty.toml pyrightconfig.json basedpyright.json pyre_configuration bandit.y*ml nose2.cfg robot.toml pylama.ini pycodestyle.cfg noxfile.py conftest.py sitecustomize.py usercustomize.py *.pth dodo.py pavement.py fabfile.py tasks.py manage.py locustfile.py behave.ini invoke.y*ml phpunit.xml phpunit.xml.dist phpunit.dist.xml phpunit-watcher.yml phpstan.neon phpstan.neon.dist phpstan.dist.neon *.neon psalm.xml psalm.xml.dist phpcs.xml phpcs.xml.dist phpmd.xml ruleset.xml rector.php ecs.php pint.json infection.json infection.json5 infection.json.dist behat.y*ml *.behat.y*ml codeception.y*ml *.suite.yml phpspec.y*ml phpbench.json grumphp.y*ml captainhook.json deptrac.y*ml pest.php golangci.y*ml golangci.toml golangci.json revive.toml staticcheck.conf gosec.json checkstyle*.xml pmd.xml pmd-*.xml spotbugs*.xml detekt*.y*ml lombok.config junit-platform.properties testng*.xml karate-config.js cucumber.js cucumber.cjs cucumber.mjs cucumber.json cucumber.y*ml clippy.toml nextest.toml deny.toml tarpaulin.toml bacon.toml selene.toml stylua.toml luacheckrc rubocop*.yml guardfile standard.yml reek.yml cspell.json cspell.y*ml credo.exs test_helper.exs hadolint.y*ml vale.ini trunk.y*ml semgrep.y*ml megalinter* mega-linter* qodana.y*ml stryker.conf.* stryker-*.conf.* bzt.y*ml taurus.y*ml artillery.y*ml sonar-project.properties ameba.yml analysis_options.y*ml dart_test.y*ml buf.yaml buf.gen.yaml buf.work.yaml sqlc.y*ml sqlc.json codegen.y*ml codegen.json openapitools.json lighthouserc.* linkinator.config.json container-structure-test.y*ml molecule.y*ml inspec.y*ml kitchen.y*ml",
    paths: "config/*.exs",
  },
  {
    kind: "make and its kin",
    source: "linguist (Makefile, CMake, Meson, Starlark, Python, Lua, Ninja …); docs of each tool",
    names:
      "makefile gnumakefile bsdmakefile makefile.in makefile.inc makefile.common makefile.win makefile.boot makefile.frag makefile.pc makefile.wat makefile.sco makefile.local gnumakefile.in gnumakefile.local *.mk *.mak *.make mkfile kbuild kconfig cmakelists.txt *.cmake cmakecache.txt cmakepresets.json cmakeuserpresets.json compile_commands.json configure configure.ac configure.in autogen.sh *.m4 makefile.am meson.build meson_options.txt meson.options *.meson *.ninja sconstruct sconscript *.scons scsub wscript tupfile tuprules.tup xmake.lua premake4.lua premake5.lua premake*.lua conanfile.py conanfile.txt vcpkg.json vcpkg-configuration.json *.pro *.pri *.prf *.qbs android.bp android.mk application.mk build.bazel workspace.bazel workspace.bzlmod module.bazel module.bazel.lock *.bazel *.bazelrc *.bzl *.star pants.toml pants.*.toml build.plz *.gn *.gni build.ninja tiltfile earthfile jamfile jamroot jamrules project-root.jam fbuild.bff bam.lua genie.lua sharpmake* build.jam eask project.ede justfile *.just taskfile.* taskfile.dist.* maskfile.md makefile.toml bakefile runfile rakefile *.rake jakefile cakefile dangerfile steepfile hobofile guardfile xmake artisan compile_flags.txt release-plz.toml magefile.go magefiles robofile.php castor.php deployer.php deploy.php envoy.blade.php dagger.json cliff.toml goreleaser.y*ml release.toml release-please-config.json cz.json cz.toml cz.y*ml dvc.y*ml snakefile *.smk nextflow.config *.nf platformio.ini sketch.y*ml west.yml *.overlay defconfig devbox.json devenv.y*ml devenv.lock zinoma.y*ml batect*.yml",
    paths: "magefiles/*.go",
  },
  {
    kind: "packages and builds of other languages",
    source: "linguist (Cargo, Go, Maven, Gradle, Ruby, Elixir, Haskell, Nix, Nim …); docs of the package managers",
    names:
      "*.lock cargo.toml cargo.lock cargo.toml.orig build.rs rust-toolchain rust-toolchain.toml rustfmt.toml cross.toml trunk.toml go.mod go.sum go.work go.work.sum gopkg.toml gopkg.lock glide.y*ml pom.xml pom.*.xml build.xml ant.xml ivy.xml ivysettings.xml settings.xml *.gradle *.gradle.kts *.gradle.dcl gradle.properties gradle-wrapper.properties gradle.lockfile gradlew gradlew.bat mvnw mvnw.cmd maven.config jvm.config *.versions.toml *.sbt build.sc build.mill *.mill project.clj build.boot deps.edn bb.edn *.csproj *.fsproj *.vbproj *.vcxproj *.vcxproj.* *.shproj *.proj *.sln *.slnx *.props *.targets *.tasks *.nuspec *.rsp nuget.config packages.config packages.lock.json app.config web.config web.*.config global.json paket.* build.cake *.cake build.fsx *.fsx build.ps1 build.cmd build.bat *.psd1 package.swift package.resolved project.swift workspace.swift *.pbxproj *.xcconfig *.xcscheme *.xcworkspacedata *.xcsettings project.yml podfile podfile.* cartfile cartfile.* mintfile pubspec.y*ml pubspec.lock pubspec_overrides.y*ml build.yaml gemfile gemfile.* gems.rb gems.locked *.gemspec brewfile brewfile.* berksfile cheffile puppetfile modulefile thorfile capfile deliverfile fastfile appfile matchfile gymfile scanfile snapfile pluginfile jarfile mavenfile buildfile appraisals rexfile phakefile nukefile fakefile emakefile slakefile bundlefile config.ru mix.exs mix.lock rebar.config rebar.config.script rebar.lock erlang.mk relx.config *.app.src gleam.toml shard.yml shard.lock *.nimble nim.cfg *.nim.cfg *.nims build.zig build.zig.zon dub.json dub.sdl dub.selections.json v.mod vpkg.json *.rockspec haxelib.json *.hxml dune dune-project dune-workspace *.opam opam esy.json stack.y*ml package.yaml hpack.y*ml *.cabal cabal.project cabal.project.* cabal.config setup.hs setup.lhs spago.dhall spago.y*ml packages.dhall elm.json elm-package.json bsconfig.json rescript.json *.ipkg flake.nix flake.lock *.nix guix.scm manifest.scm channels.scm composer.json composer.lock auth.json symfony.lock cpanfile cpanfile.snapshot makefile.pl build.pl dist.ini renv.lock packrat.lock _targets.r project.toml manifest.toml juliaproject.toml juliamanifest.toml info.rkt *.asd fpm.toml alire.toml *.gpr fpmake.pp *.lpi *.dproj *.groupproj foundry.toml truffle.js truffle-config.js remappings.txt anchor.toml move.toml scarb.toml nargo.toml project.godot export_presets.cfg *.uproject *.uplugin *.build.cs *.target.cs buildozer.spec *.spec pkgbuild apkbuild *.ebuild *.install typst.toml kcl.mod kcl.yaml pklproject wally.toml rokit.toml aftman.toml foreman.toml default.project.json setup.py pyproject.toml requirements.txt requirements.in requirements-*.txt requirements_*.txt requirements-*.in *-requirements.txt *_requirements.txt requirements.lock* constraints*.txt pipfile pipfile.lock poetry.lock poetry.toml uv.lock uv.toml pdm.lock pdm.toml pixi.toml pixi.lock hatch.toml hatch_build.py environment*.y*ml conda*.y*ml meta.yaml conda-lock.y*ml pip.conf pip.ini condarc buildout.cfg versioneer.py pyodide.json fabfile manifest.in mise.toml mise.*.toml mise.lock asdf.* libman.json meteor.json *.egg-link entry_points.txt androidmanifest.xml proguard*.pro proguard-rules.* *.xmake uv.toml",
    paths:
      "project/*.sbt project/*.scala project/build.properties requirements/*.txt requirements/*.in gradle/** buildsrc/** build-logic/** deps/build.jl meta-inf/services/*",
  },
  {
    kind: "continuous integration",
    source:
      "docs of each service; schema store (azure-pipelines, bitrise, buildkite, codemagic, codeship, jenkins-x, zuul …)",
    names:
      "jenkinsfile jenkinsfile.* *.jenkinsfile appveyor.y*ml azure-pipelines*.y*ml *.azure-pipelines.y*ml *azure-pipelines.y*ml bitbucket-pipelines.y*ml bitrise.y*ml bitrise.json buildkite.y*ml buildkite.*.y*ml buildkite.json buildspec*.y*ml *buildspec.y*ml cloudbuild*.y*ml cloudbuild*.json *.cloudbuild.y*ml *.cloudbuild.json codemagic.y*ml codeship-services.y*ml codeship-steps.y*ml circle.yml circleci.yml wercker.yml shippable.yml screwdriver.y*ml concourse.y*ml pipeline.y*ml pipelines.y*ml zuul.y*ml codefresh*.y*ml buddy.y*ml semaphore.y*ml jenkins-x*.y*ml drone.y*ml vela.y*ml woodpecker.y*ml travis.yml gitlab-ci.y*ml *.gitlab-ci.y*ml *gitlab-ci*.y*ml nevercode.y*ml magnum-ci.yml solano.yml snap-ci.yml teamcity.* *.gocd.y*ml *.gocd.json action.y*ml spacelift.y*ml atlantis.y*ml codecov.y*ml coderabbit.y*ml mergify.y*ml dependabot.y*ml ci.y*ml prow.y*ml tekton*.y*ml argo*.y*ml workflow.y*ml workflows.y*ml step.yml lgtm.yml testenvironments.json sider.yml kokoro.* bxci.y*ml steadybit.y*ml jx-requirements.yml",
    paths:
      "ci_scripts/** ci/**.sh ci/**.y*ml ci/**.groovy buildkite/**.sh buildkite/**.y*ml kokoro/**.cfg kokoro/**.sh jenkins/**.groovy tekton/**.y*ml concourse/**.y*ml bamboo-specs/** zuul.d/** pipelines/*.y*ml",
  },
  {
    kind: "containers and deployment",
    top: "manifest.yml manifest.yaml inventory hosts copilot.y*ml",
    source:
      "docs of each platform; schema store (compose, cloudformation, serverless, skaffold, helmfile, fly, vercel …)",
    names:
      "dockerfile dockerfile.* *.dockerfile *-dockerfile containerfile containerfile.* *.containerfile docker-compose*.y*ml compose.y*ml compose.*.y*ml *compose.y*ml docker-bake*.* docker-stack*.y*ml daemon.json docker-entrypoint.sh lando.y*ml vagrantfile vagrantfile.* packer.json *.pkr.hcl *.pkr.json *.tf *.tf.json *.tofu *.hcl *.nomad terragrunt.* cdk.json cdk.context.json cdktf.json pulumi.y*ml pulumi.*.y*ml main.bicep *.bicep bicepconfig.json azure.y*ml azuredeploy*.json template.y*ml samconfig.* sam.y*ml sam.json cloudformation*.y*ml cloudformation*.json *.cf.y*ml *.cf.json *.sam.y*ml serverless*.y*ml serverless.json serverless.template appspec.y*ml appspec.json apprunner.y*ml amplify.y*ml dockerrun.aws.json taskdef*.json task-definition*.json app.json app.y*ml heroku.y*ml procfile procfile.* system.properties runtime.txt nixpacks.toml nixpacks.json railpack.json railway.json railway.toml render.y*ml fly.toml fly.*.toml vercel.json netlify.toml netlify.json netlify.y*ml wrangler.toml wrangler.json wrangler.jsonc firebase.json firestore.rules storage.rules database.rules.json staticwebapp.config.json swa-cli.config.json function.json host.json local.settings.json koyeb.y*ml zeabur.* captain-definition okteto.y*ml skaffold*.y*ml devspace.y*ml garden.y*ml *.garden.y*ml werf*.y*ml tye.y*ml acornfile score.y*ml helmfile*.y*ml chart.y*ml chart.lock values.y*ml values-*.y*ml values.*.y*ml _helpers.tpl kustomization.y*ml kubernetes.y*ml k8s.y*ml deployment.y*ml deploy.y*ml cronjob.y*ml daemonset.y*ml statefulset.y*ml ansible.cfg ansible-navigator.y*ml ansible-navigator.json requirements.yml updatecli.y*ml liara.json stackhawk*.y*ml helmfile.d playbook*.y*ml site.y*ml inventory.y*ml inventory.ini hosts.ini galaxy.yml execution-environment.y*ml cloud-config.y*ml cloud-init.y*ml user-data user-data.* ignition.json *.bu *.ign crontab *.cron *.crontab supervisord.conf supervisor.conf nginx.conf httpd.conf apache2.conf haproxy.cfg caddyfile traefik.y*ml traefik.toml krakend.* gunicorn.conf.py gunicorn_config.py uwsgi.ini puma.rb unicorn.rb passenger.json *.service *.timer *.socket *.path *.mount *.automount *.target *.slice *.container *.pod *.kube *.quadlet *.desktop *.plist *.launchd *.reg *.ebextensions mta.y*ml mtad.y*ml xs-app.json buildpack.toml builder.toml launch.toml snapcraft.y*ml flatpak*.y*ml *.flatpakref electron-builder.* electron-builder-* tauri.conf.json tauri.*.conf.json eas.json forge.config.* fabric.mod.json briefcase.toml cog.y*ml modal.toml truss*.y*ml ray-*-cluster.yaml databricks.y*ml dbt_project.y*ml profiles.yml packages.yml meltano.yml airflow.cfg prefect.y*ml dagster.yaml workspace.yaml great_expectations.yml shopify.app.toml shopify.app.*.toml shopify.*.toml stripe.json",
    paths:
      "manifests/*.y*ml charts/**.y*ml charts/**.tpl helm/**.y*ml k8s/**.y*ml kubernetes/**.y*ml deploy/**.y*ml deploy/**.sh deployment/**.y*ml deployment/**.sh deployments/**.y*ml ansible/**.y*ml ansible/**.ini terraform/**.tfvars roles/**.y*ml helmfile.d/** updatecli.d/** copilot/**.y*ml cron.d/* playbooks/** group_vars/** host_vars/** systemd/** supabase/config.toml hooks/pre_* hooks/post_*",
  },
  {
    kind: "editors and development environments",
    top: "init.lua config.toml config.y*ml settings.json tasks.json launch.json",
    source: "docs of each editor; linguist; schema store",
    names:
      "*.code-workspace *.code-snippets *.sublime-project *.sublime-build *.sublime-settings *.sublime-commands *.sublime-keymap *.iml *.ipr *.iws *.kdev4 *.creator *.creator.user *.pro.user *.launch launchsettings.json session.vim init.vim init.el early-init.el lvimrc *.nvim.lua _vimrc _exrc _emacs ginit.vim omnisharp.json coc-settings.json devcontainer.json devcontainer-lock.json devcontainer-feature.json devcontainer-template.json devfile.y*ml devinit.json replit.nix replit.toml replit.md gitpod.y*ml dev.nix shell.nix default.nix devbox.json kakrc *.vsconfig toolbox.toml distrobox.ini *.ddev.yml wakatime-project",
    paths:
      "*.xcodeproj/** *.xcworkspace/** *.playground/** *.sublime-package/** nbproject/** lua/plugins/*.lua autoload/*.vim plugin/*.vim ftplugin/*.vim",
  },
  {
    kind: "shells, interpreters and debuggers as they start",
    source:
      "linguist (Shell, Vim, GDB, R, Ruby …); manuals of bash, zsh, fish, PowerShell, IPython, R, Julia, Octave, GHC",
    names:
      "bashrc bash_profile bash_login bash_logout bash_aliases bash_functions zshrc zshenv zprofile zlogin zlogout cshrc kshrc mkshrc tcshrc inputrc vimrc gvimrc nvimrc ackrc nanorc screenrc tmux.conf xinitrc xprofile xsession gtkrc curlrc _curlrc wgetrc _netrc netrc gemrc condarc octaverc guilerc lldbinit gdbinit latexmkrc _latexmkrc hgrc mercurial.ini rprofile.site renviron.site rprofile startup.jl startup.m ipython_config.py ipython_kernel_config.py jupyter_*config.py jupyter_*config.json pythonrc pythonrc.py pystartup python_startup.py matplotlibrc user.clj profiles.clj iex.exs config.fish fish_variables config.nu env.nu *profile.ps1 profile.ps1 starship.toml autoexec.* php.ini user.ini my.ini psqlrc sqliterc mongorc.js redis.conf direnvrc",
    paths: "fish/conf.d/* conf.d/*.fish ipython/** profile_default/**",
  },
  {
    kind: "hooks of git and who manages them",
    source: "githooks(5); docs of husky, lefthook, pre-commit, lint-staged, simple-git-hooks, overcommit, captainhook",
    names:
      "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change pre-commit-config.y*ml pre-commit-hooks.y*ml lefthook.* lefthook-local.* simple-git-hooks.* lefthookrc lint-staged.config.* nano-staged.* overcommit.yml hk.pkl prek.toml gitattributes gitconfig gitmodules *.gitconfig config.worktree packed-refs",
    paths: "git-hooks/** githooks/** hooks/update git_hooks/** hooks/hooks.json",
  },
  {
    kind: "instructions, tools and hooks of agents",
    source:
      "docs of the agents; the agents' tables of ruler, rulesync and skills (about 70 agents; nearly all keep a folder with a dot)",
    names:
      "agents.md agents.*.md agent.md agent*.local.md claude.md claude.*.md gemini.md gemini.*.md qwen.md warp.md crush.md crush.local.md copilot-instructions.md conventions.md iflow.md kimi.md codebuddy.md replit.md ai-rules.* ai_rules.* airules.* airules.md llm-rules.md prompt_rules.md system_prompt.* system-prompt.* skill.md *.skill.md *.mdc *.instructions.md *.prompt.md *.chatmode.md *.agent.md *.agents.md *.skill mcp.json mcp.*.json *.mcp.json mcp.y*ml mcp_config.json mcp-config.json mcp_settings.json modular-mcp.json mcp-servers.json mcpservers.json claude_desktop_config.json opencode.json opencode.jsonc crush.json firebender.json kilo.json kilo.jsonc kilocode.json amp.json goose.y*ml aider.conf.y*ml gptme.toml ruler.toml rulesync.json rulesync.jsonc rulesync.* ai-rulez.y*ml plandex.json codex.toml gemini-extension.json qwen-extension.json promptfooconfig.* skills-lock.json agentkit.*",
    top: "soul.md identity.md user.md heartbeat.md memory.md tools.md bootstrap.md rules.md guidelines.md project_rules.md best_practices.md knowledge.md codex.md cursor.md copilot.md continue.md zed.md tabnine.md tabby.md forge.md neovate.md letta.md hermes.md bob.md mux.md ona.md lovable.md bolt.md v0.md pi.md vibe.md mistral.md amp.md factory.md cline.md roo.md kilo.md kilocode.md windsurf.md goose.md aider.md opencode.md jules.md junie.md augment.md trae.md devin.md droid.md kiro.md grok.md deepseek.md cody.md plandex.md rovodev.md rovo.md zencoder.md qoder.md kode.md codebuff.md openhands.md firebender.md agent.toml agent.y*ml agent.json plugin.json marketplace.json agents/*.md commands/*.md skills/** memory-bank/** conductor/** rules/*.md",
    paths: "prompts/*.prompt skills/*/scripts/**",
  },
  {
    kind: "documents and generators that run what they name",
    paths: "docs/conf.py docs/source/conf.py doc/conf.py doc/source/conf.py",
    source: "docs of Sphinx, MkDocs, Jekyll, mdBook, Quarto, LaTeX, Hugo, Docusaurus, Terraform docs",
    names:
      "mkdocs.y*ml _config.y*ml book.toml _quarto.y*ml hugo.toml hugo.y*ml docfx.json antora-playbook.y*ml antora.yml _bookdown.yml _site.yml _pkgdown.yml readthedocs.y*ml cookiecutter.json copier.y*ml cargo-generate.toml ffizer.y*ml template.config.json *.ipynb_config doxyfile *.doxyfile javadoc.options .yardopts bashly*.y*ml ng-package.json",
  },
  {
    kind: "installed packages",
    source: "docs of npm, pip, venv, bower",
    paths:
      "node_modules/** venv/** site-packages/** dist-packages/** bower_components/** __pypackages__/** jspm_packages/** web_modules/** virtualenv/**",
  },
];

const escaped = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, "\\$&");
const starred = (name: string): string =>
  escaped(name).replaceAll("**", "\0").replaceAll("*", "[^/]*").replaceAll("\0", ".+");
const together = (patterns: readonly string[], before: string): RegExp =>
  new RegExp(`${before}(?:${patterns.map(starred).join("|")})$`);

/** What stands behind the last dot of a name or pattern; nothing where that is not fixed. */
const endingOf = (name: string): string => /\.([^.*]+)$/.exec(name)?.[1] ?? "";

/** What people read: a name that begins like a tool's is a text about it. */
const prose = /\.(?:mdx?|rst|adoc|txt|html?|css|scss|png|jpe?g|gif|svg|webp|pdf|csv)$/;

class Table {
  readonly #exact = new Set<string>();
  /** Patterns of names by their endings: most files have an ending that few rows know. */
  readonly #starred = new Map<string, string[]>();
  readonly #made = new Map<string, RegExp>();
  readonly #paths: RegExp;
  readonly #top: RegExp;

  constructor(rows: readonly Group[]) {
    const words = (text: string | undefined) => text?.split(" ") ?? [];
    for (const name of rows.flatMap((row) => words(row.names))) {
      if (name.includes("*")) this.#starred.set(endingOf(name), [...(this.#starred.get(endingOf(name)) ?? []), name]);
      else this.#exact.add(name);
    }
    this.#paths = together(
      rows.flatMap((row) => words(row.paths)),
      "(?:^|/)",
    );
    this.#top = together(
      rows.flatMap((row) => words(row.top)),
      "^",
    );
  }

  has(path: string): boolean {
    const base = path.slice(path.lastIndexOf("/") + 1);
    return (
      this.#exact.has(base) ||
      this.#named(base, endingOf(base)) ||
      (!prose.test(base) && this.#named(base, "")) ||
      this.#paths.test(path) ||
      this.#top.test(path)
    );
  }

  #named(base: string, ending: string): boolean {
    const patterns = this.#starred.get(ending);
    if (!patterns) return false;
    let made = this.#made.get(ending);
    if (!made) this.#made.set(ending, (made = together(patterns, "^")));
    return made.test(base);
  }
}

let table: Table | undefined;

function dotted(path: string): boolean {
  const parts = path.split("/");
  const base = parts.pop() ?? "";
  const folders = parts.filter((part) => /^\.[^.]/.test(part));
  if (folders.length > 0) return !folders.every((folder) => quietFolders.test(folder)) && !quietPaths.test(path);
  return /^\.[^.]/.test(base) && !quietDots.test(base);
}

/** Names that patterns are tried against: those of the table, and one for each pattern of names. */
export function runLaterNames(): readonly string[] {
  return (tried ??= [
    ...groups.flatMap(({ names }) => names?.split(" ").map((name) => name.replaceAll("*", "x")) ?? []),
    ".npmrc",
    ".envrc",
    ".gitattributes",
    ".mcp.json",
    ".clinerules",
  ]);
}

let tried: readonly string[] | undefined;

/** Files whose case tells them from anybody's words: a folder called `build` is anybody's. */
const byCase = /(^|\/)(BUILD|WORKSPACE|BUCK|DEPS|DESCRIPTION|OWNERS|CODEOWNERS|Singularity|ROOT)$/;

/** Whether others run or obey the file later; `relative` to the workspace. */
export function runsLater(relative: string): boolean {
  const path = plainPath(relative);
  table ??= new Table(groups);
  return dotted(path) || byCase.test(relative) || table.has(path);
}

/** The groups of the table, for documents and tests. */
export const runLaterGroups: readonly Readonly<Group>[] = groups;
