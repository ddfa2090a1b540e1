import { shellWord } from "../../../base/shell-word.ts";
import { below, inFolder, type Look, nearest, type Proof, type StackProfile } from "./profile.ts";

function proof(test: string, { files, known }: Look): Proof {
  const { folder, file } = nearest(files, test, /^pubspec\.yaml$/) ?? { folder: "", file: "pubspec.yaml" };
  const flutter = /^\s*(?:sdk:\s*flutter|flutter_test:)/m.test(known.get(file) ?? "");
  const run = flutter ? "flutter test --no-pub --machine" : "dart test --reporter json";
  return { command: inFolder(folder, `${run} ${shellWord(below(folder, test))}`), format: "dart-json" };
}

export const dart: StackProfile = {
  name: "dart",
  keywords: /\b(?:dart|flutter|pubspec|widget tests?|riverpod|bloc)\b/i,
  files: /(?:^|\/)pubspec\.yaml$|\.dart$/,
  extensions: [".dart"],
  manifests: ["pubspec.yaml"],
  dependencyFolders: [".dart_tool"],
  buildFolders: ["build"],
  lockfiles: ["pubspec.lock"],
  programs: ["dart"],
  leftovers: /(?:^|\/)\.dart_tool\//,
  upMs: 90_000,
  minutes: 30,
  proof,
};
