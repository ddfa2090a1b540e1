import { shellWord } from "../../../base/shell-word.ts";
import { below, inFolder, type Look, nearest, type Proof, type StackProfile, withReports } from "./profile.ts";

const classOf = (path: string): string =>
  below("", path)
    .replace(/^.*?src\/(?:test|main|it|integrationTest)\/(?:java|kotlin|groovy|scala)\//, "")
    .replace(/\.\w+$/, "")
    .replaceAll("/", ".");

/** The reactor's top, whose modules are named by path. */
function proof(test: string, { files, testCommand = "" }: Look): Proof | undefined {
  const build = nearest(files, test, /^(?:pom\.xml|build\.gradle(?:\.kts)?)$/);
  if (!build) return undefined;
  const has = (name: string) => files.includes(build.folder === "" ? name : `${build.folder}/${name}`);
  if (build.file.endsWith("pom.xml")) {
    const top = files.includes("pom.xml") && build.folder !== "";
    const wrapper = files.includes("mvnw") && /mvnw\b/.test(testCommand);
    const program = wrapper ? "./mvnw" : "mvn";
    const place = top ? ` -pl ${shellWord(build.folder)} -am -Dsurefire.failIfNoSpecifiedTests=false` : "";
    const run = withReports(
      `${program} -o -q -B test -Dtest=${shellWord(classOf(test))}${place}`,
      "*/surefire-reports/TEST-*.xml",
    );
    return { command: top ? run : inFolder(build.folder, run), format: "junit" };
  }
  const wrapper = has("gradlew") || files.includes("gradlew");
  const program = !wrapper
    ? "gradle"
    : has("gradlew")
      ? "./gradlew"
      : `${"../".repeat(build.folder.split("/").length)}gradlew`;
  const run = withReports(
    `${program} --offline -q test --tests ${shellWord(classOf(test))}`,
    "*/test-results/*/TEST-*.xml",
  );
  return { command: inFolder(build.folder, run), format: "junit" };
}

export const java: StackProfile = {
  name: "java",
  keywords:
    /\b(?:java|kotlin|spring(?: ?boot)?|maven|mvn|gradle|junit|hibernate|quarkus|micronaut|jvm|jakarta|servlet)\b/i,
  files: /(?:^|\/)(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradlew|mvnw)$|\.(?:java|kt)$/,
  extensions: [".java", ".kt", ".kts", ".gradle", ".groovy"],
  manifests: ["pom.xml", "build.gradle", "build.gradle.kts"],
  dependencyFolders: [],
  buildFolders: ["target", "build", ".gradle", "out"],
  lockfiles: ["gradle.lockfile", "buildscript-gradle.lockfile"],
  programs: ["java", "javac"],
  leftovers:
    /(?:^|\/)(?:target\/(?:(?:test-)?classes|(?:surefire|failsafe)-reports|maven-status|generated-(?:test-)?sources)|build\/(?:classes|reports|test-results|tmp|generated|libs|kotlin)|\.gradle)\/|\.class$/,
  upMs: 120_000,
  minutes: 45,
  proof,
};
