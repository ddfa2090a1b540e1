// Where package managers get their packages when nobody configures anything else.

export interface Registry {
  /** Names of programs, separated by spaces. */
  programs: string;
  hosts: readonly string[];
  /** Options whose value is the address of another registry. */
  options?: RegExp;
  /** Files at the top of the workspace that name another one, and the lines that do. */
  files?: readonly (readonly [name: string, line: RegExp])[];
}

const npmrc: readonly [string, RegExp] = [".npmrc", /^[ \t]*(?:@[\w.-]+:)?registry[ \t]*=[ \t]*["']?([^\s"']+)/gm];
const pipOptions = /^(-i|-f|--index-url|--extra-index-url|--find-links|--index|--default-index)$/;
const requirements: readonly [string, RegExp] = [
  "requirements.txt",
  /^[ \t]*(?:-i|--index-url|--extra-index-url|-f|--find-links)[ \t=]+(\S+)/gm,
];
const java = ["repo.maven.apache.org", "repo1.maven.org", "plugins.gradle.org", "services.gradle.org"];

export const registries: readonly Registry[] = [
  {
    programs: "npm npx pnpm pnpx bun bunx corepack yarn yarnpkg",
    hosts: ["registry.npmjs.org", "registry.yarnpkg.com", "repo.yarnpkg.com"],
    options: /^--(@[\w.-]+:)?registry$/,
    files: [npmrc, [".yarnrc.yml", /^\s*npmRegistryServer:\s*["']?([^\s"']+)/gm]],
  },
  {
    programs: "pip pip3 pipx uv uvx poetry pdm pipenv",
    hosts: ["pypi.org", "files.pythonhosted.org"],
    options: pipOptions,
    files: [requirements],
  },
  { programs: "cargo", hosts: ["index.crates.io", "static.crates.io", "crates.io"] },
  { programs: "go", hosts: ["proxy.golang.org", "sum.golang.org", "storage.googleapis.com"] },
  { programs: "gem bundle bundler", hosts: ["rubygems.org", "index.rubygems.org"], options: /^(-s|--source)$/ },
  {
    programs: "composer",
    hosts: ["repo.packagist.org", "packagist.org", "api.github.com", "github.com", "codeload.github.com"],
  },
  { programs: "dotnet nuget", hosts: ["api.nuget.org", "globalcdn.nuget.org"], options: /^(-s|--source)$/ },
  { programs: "mvn mvnw gradle gradlew sbt", hosts: java },
  { programs: "deno", hosts: ["jsr.io", "npm.jsr.io", "registry.npmjs.org", "deno.land"] },
  {
    programs: "apt apt-get",
    hosts: ["deb.debian.org", "security.debian.org", "archive.ubuntu.com", "security.ubuntu.com"],
  },
];

export const registryOf = (program: string): Registry | undefined =>
  registries.find(({ programs }) => programs.split(" ").includes(program));
