// The class of a command, which sets its time limit: the subcommand decides before the program (SETTLED 13).
import type { CommandClass } from "../../protocol/effect.ts";

const longest: CommandClass[] = ["other", "migration", "test", "install", "build", "image"];

const words: readonly [RegExp, CommandClass][] = [
  [
    /^(docker|podman|nerdctl|buildah)( \S+)*? (build|buildx|push|pull|compose)\b|^(docker-compose|packer|kaniko|buildctl)\b|^skaffold (build|run|dev)/,
    "image",
  ],
  [
    /^(\.\/)?(gradlew?|mvnw?|npm|pnpm|yarn|bun|cargo|go|dotnet|make|gmake|flutter|dart|mix|rake|just|swift|bazel|sbt|lein|python3?( -m)?|node|npx|bundle exec|uv run|poetry run|composer|deno|ninja|meson|stack|cabal|zig|xcodebuild|turbo|nx|php|tox|nox|hatch)\b[\s\S]*?\b(test|tests|check|verify|testall|test:\S+|pytest|unittest|jest|vitest|mocha|rspec|phpunit|ctest|nextest|--test|bench|lint|typecheck|clippy|vet)\b/,
    "test",
  ],
  [/^(pytest|jest|vitest|mocha|ava|tap|rspec|phpunit|ctest|tox|nox|playwright|cypress|karma|bats|busted)\b/, "test"],
  [
    /\b(migrate|migration|migrations|db:migrate|db:seed|alembic|flyway|liquibase|knex|sequelize|prisma migrate|typeorm|makemigrations)\b/,
    "migration",
  ],
  [
    /^(npm|pnpm|yarn|bun)( (i|ci|install|add|update|upgrade|dedupe))?$|^(npm|pnpm|yarn|bun) (i|ci|install|add|update|upgrade|create|init)\b|^(pip3?|pipx|uv|poetry|pdm|conda|gem|bundle|composer|brew|apt|apt-get|apk|dnf|yum|pacman|cpan|luarocks|nix) /,
    "install",
  ],
  [
    /^(cargo (install|add|fetch)|go (get|install|mod)|dotnet restore|mix deps\.get|flutter pub get|python3? -m pip)\b/,
    "install",
  ],
  [
    /^(\.\/)?(gradlew?|mvnw?|cargo|flutter|sbt|bazel|bazelisk|buck2|dotnet|xcodebuild|swift|stack|cabal|ninja|cmake|meson|msbuild|zig|make|gmake|ant|lein|go (build|install|generate)|tsc|webpack|vite build|rollup|npm run build\S*|pnpm (run )?build\S*|yarn (run )?build\S*|bun run build\S*|next build|ng build)\b/,
    "build",
  ],
];

const classOfPart = (part: string): CommandClass => {
  const bare = part.replace(/^\s*((\w+=\S*|env|time|nice|nohup|timeout \S+|exec|command)\s+)*/, "").trim();
  return words.find(([pattern]) => pattern.test(bare))?.[1] ?? "other";
};

/** A list takes the class with the longest limit among its parts. */
export function classOf(parts: Iterable<string>): CommandClass {
  let found: CommandClass = "other";
  for (const part of parts) {
    const one = classOfPart(part);
    if (longest.indexOf(one) > longest.indexOf(found)) found = one;
  }
  return found;
}
