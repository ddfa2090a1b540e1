// What has to be installed before a plan can run, and how to get it.
import { entryOf } from "../../../base/entry.ts";
import { programsOf } from "../../../guard/command-line/syntax/programs-of.ts";
import { profileOf } from "./list.ts";

/** Programs that another one brings, or that need another one to be of use. */
const needs: Readonly<Record<string, readonly string[]>> = {
  npm: ["node"],
  npx: ["node"],
  yarn: ["node"],
  pnpm: ["node"],
  tsx: ["node"],
  mvn: ["java"],
  gradle: ["java"],
  mvnw: ["java"],
  gradlew: ["java"],
  cargo: ["rustc"],
  flutter: ["dart"],
  "docker-compose": ["docker"],
};

interface Hint {
  apt?: string;
  brew?: string;
  otherwise: string;
}

const hints: Readonly<Record<string, Hint>> = {
  node: { apt: "nodejs", brew: "node", otherwise: "https://nodejs.org" },
  npm: { apt: "npm", brew: "node", otherwise: "it comes with Node.js" },
  npx: { apt: "npm", brew: "node", otherwise: "it comes with npm" },
  yarn: { brew: "yarn", otherwise: "corepack enable yarn" },
  pnpm: { brew: "pnpm", otherwise: "corepack enable pnpm" },
  bun: { brew: "oven-sh/bun/bun", otherwise: "https://bun.sh" },
  deno: { brew: "deno", otherwise: "https://deno.com" },
  tsc: { otherwise: "npm install --save-dev typescript" },
  python3: { apt: "python3", brew: "python", otherwise: "https://www.python.org" },
  python: { apt: "python-is-python3", brew: "python", otherwise: "use python3, or https://www.python.org" },
  pip: { apt: "python3-pip", otherwise: "python3 -m ensurepip" },
  pip3: { apt: "python3-pip", otherwise: "python3 -m ensurepip" },
  pytest: { apt: "python3-pytest", otherwise: "python3 -m pip install pytest" },
  poetry: { apt: "python3-poetry", brew: "poetry", otherwise: "https://python-poetry.org" },
  uv: { brew: "uv", otherwise: "https://docs.astral.sh/uv" },
  java: { apt: "default-jre", brew: "openjdk", otherwise: "https://adoptium.net" },
  javac: { apt: "default-jdk", brew: "openjdk", otherwise: "https://adoptium.net" },
  mvn: { apt: "maven", brew: "maven", otherwise: "https://maven.apache.org" },
  gradle: { apt: "gradle", brew: "gradle", otherwise: "https://gradle.org" },
  go: { apt: "golang", brew: "go", otherwise: "https://go.dev" },
  gofmt: { apt: "golang", brew: "go", otherwise: "it comes with Go" },
  cargo: { apt: "cargo", brew: "rust", otherwise: "https://rustup.rs" },
  rustc: { apt: "rustc", brew: "rust", otherwise: "https://rustup.rs" },
  dart: { brew: "dart", otherwise: "https://dart.dev" },
  flutter: { brew: "--cask flutter", otherwise: "https://flutter.dev" },
  docker: { apt: "docker.io", brew: "--cask docker", otherwise: "https://docs.docker.com" },
  "docker-compose": { apt: "docker-compose", brew: "docker-compose", otherwise: "https://docs.docker.com/compose" },
  psql: { apt: "postgresql-client", brew: "libpq", otherwise: "https://www.postgresql.org" },
  mysql: { apt: "default-mysql-client", brew: "mysql-client", otherwise: "https://www.mysql.com" },
  sqlite3: { apt: "sqlite3", brew: "sqlite", otherwise: "https://sqlite.org" },
  "redis-cli": { apt: "redis-tools", brew: "redis", otherwise: "https://redis.io" },
  mongosh: { brew: "mongosh", otherwise: "https://www.mongodb.com" },
  make: { apt: "make", brew: "make", otherwise: "it comes with the compilers of your system" },
  cmake: { apt: "cmake", brew: "cmake", otherwise: "https://cmake.org" },
  gcc: { apt: "gcc", brew: "gcc", otherwise: "it comes with the compilers of your system" },
  ruby: { apt: "ruby", brew: "ruby", otherwise: "https://www.ruby-lang.org" },
  bundle: { apt: "bundler", brew: "ruby", otherwise: "gem install bundler" },
  php: { apt: "php-cli", brew: "php", otherwise: "https://www.php.net" },
  composer: { apt: "composer", brew: "composer", otherwise: "https://getcomposer.org" },
  dotnet: { brew: "--cask dotnet-sdk", otherwise: "https://dotnet.microsoft.com" },
  terraform: { brew: "terraform", otherwise: "https://developer.hashicorp.com/terraform" },
  kubectl: { brew: "kubectl", otherwise: "https://kubernetes.io" },
  bash: { apt: "bash", brew: "bash", otherwise: "it comes with your system" },
  nsenter: { apt: "util-linux", otherwise: "it comes with util-linux" },
  git: { apt: "git", brew: "git", otherwise: "https://git-scm.com" },
};

/** Part of every shell, so that nobody has to install them. */
const builtins = new Set(
  "[ [[ : . alias bg break builtin caller case cd command continue declare echo eval exec exit export false fg for function getopts hash help if jobs kill let local mapfile popd printf pushd pwd read readonly return select set shift shopt source test then time times trap true type typeset ulimit umask unalias unset until wait while".split(
    " ",
  ),
);

/**
 * Programs that the commands need and the machine has to have: names only. What stands in the repository, or is brought
 * by its dependencies, is not among them.
 */
export function binariesOf(commands: readonly string[], stack?: string): string[] {
  const found = new Set<string>(stack === undefined ? [] : (profileOf(stack)?.programs ?? []));
  for (const command of commands) {
    for (const written of programsOf(command)) {
      const name = written.split("/").at(-1) ?? written;
      for (const other of entryOf(needs, name) ?? []) found.add(other);
      if (!written.includes("/") && !builtins.has(written)) found.add(written);
    }
  }
  return [...found].toSorted();
}

/** How to get a program, in a sentence. */
export function installHint(name: string, platform: string): string {
  const hint = entryOf(hints, name);
  if (!hint) return `${name} is not installed, or not on the PATH.`;
  const by =
    platform === "darwin"
      ? hint.brew && `brew install ${hint.brew}`
      : platform === "linux"
        ? hint.apt && `apt install ${hint.apt}`
        : undefined;
  return `${name} is not installed: ${[by, hint.otherwise].filter(Boolean).join(", or ")}.`;
}
