import type { Row } from "../../rules/row.ts";

const query = "-v -V --version -h --help";
/** Options that only choose what is told. All others may name an interpreter, a configuration or a host. */
const telling =
  "-a --all -l --local -d --details -q --quiet -v --verbose -f --files --full --installed --json --format: --user --pre --not-required --exclude: -e --editable -n --names-only --versions --no-versions --exact --tree --depth: -1 --formula --cask --help";
/** `pip show` takes the beginning of an option for the whole: there `--local` is `--local-log`, which writes a file. */
const tellingOfAll = telling.replace("-l --local ", "");
const installer = (
  names: string,
  why: string,
  verbs: { reads?: string; readsAll?: string; asks?: string; forbids?: string },
  match: string[],
): Row => ({
  names,
  options: `${query} -q --quiet -y --yes`,
  risk: "L2",
  why,
  tag: "install",
  class: "install",
  subcommands: [
    ...(verbs.reads ? [{ names: verbs.reads, options: telling, operands: "t*", match: [] } satisfies Row] : []),
    ...(verbs.readsAll
      ? [{ names: verbs.readsAll, options: tellingOfAll, operands: "t*", match: [] } satisfies Row]
      : []),
    ...(verbs.asks
      ? [
          {
            names: verbs.asks,
            options: "*",
            operands: "t*",
            risk: "L2",
            why: "asks a registry",
            tag: "network",
            match: [`${names.split(" ")[0]} ${verbs.asks.split(" ")[0]} x`],
          } satisfies Row,
        ]
      : []),
    ...(verbs.forbids
      ? [
          {
            names: verbs.forbids,
            options: "*",
            operands: "t*",
            risk: "L2",
            why: "publishes to a registry",
            tag: "publish",
            effect: "network",
            undo: "irreversible",
            match: [`${names.split(" ")[0]} ${verbs.forbids.split(" ")[0]} x`],
          } satisfies Row,
        ]
      : []),
  ],
  match,
});

/** Package managers and build tools. npm and its kin have their own code (programs/packages.ts). */
export const packages: readonly Row[] = [
  installer(
    "uv poetry pdm rye hatch pipenv",
    "runs the Python of the project",
    { asks: "search index download", forbids: "publish upload" },
    ["uv sync", "poetry add x", "poetry show --tree", "uv pip list", "pdm list"],
  ),
  installer(
    "pip pipx conda mamba micromamba easy_install virtualenv",
    "installs or runs Python packages",
    {
      reads: "list freeze inspect",
      readsAll: "show check help tree debug",
      asks: "search index download",
      forbids: "publish upload",
    },
    ["pip install x", "pip list --python ./x", "pip list --log x", "pip freeze --path x", "pip show --local x"],
  ),
  installer(
    "apt apt-get aptitude dpkg yum dnf rpm zypper pacman yay paru apk brew port snap flatpak emerge nix nix-env nix-shell guix pkg choco scoop winget nvm volta fnm corepack rustup sdk gvm rvm ghcup opam cabal stack luarocks cpan cpanm sbt-install vcpkg conan mas softwareupdate add-apt-repository apt-key pkgutil installer",
    "installs or removes software",
    { reads: "list info show search policy depends which current ls --installed", asks: "update" },
    ["apt-get install -y x", "brew install x"],
  ),
  // What of them only tells, and runs no hook or plugin, has rows of its own (reading/table.ts).
  installer("asdf mise n pyenv rbenv", "installs or chooses versions of a language", { asks: "update" }, [
    ...["asdf install", "asdf list all x", "mise current", "n list 20", "n current", "pyenv list", "rbenv which ruby"],
  ]),
  installer("bundle bundler", "runs the project's Gemfile", { asks: "search fetch", forbids: "push yank publish" }, [
    "bundle install",
    "bundle list",
    "bundle check",
  ]),
  installer(
    "gem",
    "installs or runs Ruby packages",
    {
      reads: "list show outdated info help environment env dependency specification check contents which platform",
      asks: "search fetch",
      forbids: "push yank publish",
    },
    ["gem install x"],
  ),
  installer("composer", "installs or runs PHP packages", { asks: "outdated audit search" }, [
    "composer install",
    "composer show",
  ]),
  {
    names: "cargo",
    options: `${query} --list --locked --offline --frozen -q --color:`,
    risk: "L2",
    why: "builds or runs Rust code",
    tag: "unknown-program",
    class: "build",
    match: ["cargo run"],
    subcommands: [
      {
        names: "tree metadata pkgid locate-project version help verify-project read-manifest",
        options:
          "--format-version: --no-deps --offline --locked --frozen -q -v --color: -e: --edges: -i: --invert? -d --duplicates -p: --package: --workspace --exclude: --depth: --prefix: --charset: -f: --format: --features: -F: --all-features --no-default-features --filter-platform: --target: --prune: --no-dedupe --manifest-path:r --message-format:",
        operands: "t*",
        match: ["cargo tree", "cargo metadata --format-version 1"],
        notMatch: ["cargo metadata --config build.rustc='x'", "cargo tree -Z x"],
      },
      {
        names: "fmt",
        options: "--check --all -v -q --",
        operands: "t*",
        risk: "L1",
        why: "formats the sources",
        match: ["cargo fmt --check", "cargo fmt"],
      },
      {
        names: "install add update remove uninstall fetch vendor generate-lockfile upgrade binstall",
        options: "*",
        operands: "t*",
        risk: "L2",
        why: "installs packages",
        tag: "install",
        class: "install",
        effect: "network",
        match: ["cargo add x"],
      },
      {
        names: "publish yank owner login logout",
        options: "*",
        operands: "t*",
        risk: "L2",
        why: "publishes a package",
        tag: "publish",
        effect: "network",
        undo: "irreversible",
        match: ["cargo publish"],
      },
    ],
  },
  {
    names: "go",
    options: `${query} -C:r`,
    risk: "L2",
    why: "builds or runs Go code",
    tag: "unknown-program",
    class: "build",
    match: ["go run .", "go generate ./..."],
    subcommands: [
      {
        names: "version help doc list",
        options: "-f: -m -deps -test -e -find -tags: -all -c -cmd -short -src -u!2",
        operands: "t*",
        match: ["go version", "go list ./...", "go doc fmt"],
        notMatch: [
          "go list -toolexec ./x ./...",
          "go list -export ./...",
          "go list -m -u all",
          "go list -overlay x ./...",
        ],
      },
      {
        names: "env",
        options: "-json -changed",
        operands: "t*",
        match: ["go env GOPATH"],
        notMatch: ["go env -w GOFLAGS=x"],
      },
      {
        names: "fmt",
        options: "-n -x -mod:",
        operands: "t*",
        risk: "L1",
        why: "formats the sources",
        match: ["go fmt ./..."],
      },
      {
        names: "get install",
        options: "*",
        operands: "t*",
        risk: "L2",
        why: "installs packages",
        tag: "install",
        class: "install",
        effect: "network",
        match: ["go get x"],
      },
      {
        names: "mod work",
        options: "*",
        operands: "t*",
        risk: "L2",
        why: "changes the module's packages",
        tag: "install",
        class: "install",
        effect: "network",
        match: ["go mod tidy"],
      },
    ],
  },
  {
    names: "gofmt goimports",
    options: "-l -d -s -e -r:",
    operands: "r*",
    match: ["gofmt -l ."],
    notMatch: ["gofmt -w ."],
  },
  {
    names: "rustfmt",
    options: "--check --edition: --config: -v -q",
    operands: "e*",
    risk: "L1",
    why: "formats sources",
    match: ["rustfmt --check a.rs"],
  },
  {
    names: "rustc javac-version",
    options: `${query} --print: -vV --explain:`,
    operands: "",
    risk: "L2",
    why: "compiles, which writes files",
    tag: "unknown-program",
    match: ["rustc a.rs"],
  },
  {
    names:
      "mvn mvnw gradle gradlew sbt lein bazel bazelisk buck2 cmake ctest meson ninja dotnet msbuild nuget xcodebuild swift flutter dart pub mix rebar3 elixir-x stack-x zig-x cabal-x dune pants ant ivy nx turbo lerna rush tsc eslint prettier biome oxlint vitest jest mocha ava tap playwright cypress webpack vite rollup esbuild parcel next nuxt astro svelte-kit ng vue react-scripts expo storybook pytest tox nox mypy pyright ruff black isort flake8 pylint bandit coverage unittest rspec rubocop phpunit phpstan psalm golangci-lint staticcheck clang-tidy clang-format cppcheck ktlint detekt swiftlint credo dialyzer hlint ormolu stylelint knip tsup tsd lefthook husky pre-commit commitlint semantic-release changeset changesets release-it standard-version",
    options: "*",
    operands: "t*",
    risk: "L2",
    why: "runs a tool that reads the project's configuration as code",
    tag: "unknown-program",
    class: "build",
    match: ["webpack serve --open", "mvn deploy"],
  },
  {
    names: "java",
    options: "*",
    operands: "t*",
    risk: "L2",
    why: "runs a Java program",
    tag: "interpreter",
    match: ["java -jar a.jar"],
  },
  {
    names:
      "twine flit gh-release goreleaser jreleaser cargo-release vsce ovsx wrangler vercel netlify firebase heroku flyctl fly railway surge now eb sam serverless sls cdk amplify pulumi up",
    options: `${query}`,
    operands: "t*",
    risk: "L2",
    why: "publishes or deploys",
    tag: "publish",
    effect: "network",
    undo: "irreversible",
    match: ["vercel deploy", "twine upload x"],
  },
];
