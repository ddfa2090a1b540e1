// `fettle scan`: secrets, planted instructions and suspicious package names.
import { phrases } from "../../../phrases/phrases.ts";
import { type Define, teach } from "../../host/grammar.ts";

export const words = phrases("scan", {
  help: {
    batchSecrets: "JSON lines {id, text} from standard input, answered in order",
    batchInjection: 'read JSON lines {"id","text"}, answer {"id","verdict","findings"}',
    batchPackages: "JSON lines {id, ecosystem, name} from standard input, answered in order",
    secrets: "secrets in files, folders or (-) standard input; exit 1 if there are any",
    injection: "instructions to an assistant in files, folders or (-) standard input; exit 1 if there are any",
    packages: "names in manifests that resemble well-known ones; exit 1 if there are any",
  },
  lesson: {
    examples: [
      ["fettle scan secrets src .env", "keys and passwords in files and folders"],
      ["git diff --cached | fettle scan secrets -", "what is about to be committed"],
      ["fettle scan injection README.md", "orders to an assistant in what others wrote"],
      ["fettle scan packages package.json", "names that are nearly those of well-known packages"],
    ],
    exits: [
      ["0", "nothing found"],
      ["1", "something found; each place is shown"],
      ["2", "a file cannot be read; wrong usage"],
    ],
  },
});

export const define: Define = (command, start) => {
  teach(command, words.lesson);
  start<{ batch?: true }>(
    command.command("secrets [file...]").description(words.help.secrets).option("--batch", words.help.batchSecrets),
    async (context, files, { batch }) => {
      const { scanSecrets, scanSecretsBatch } = await import("./secrets.ts");
      return batch ? scanSecretsBatch(context) : scanSecrets(context, files);
    },
  );
  start<{ batch?: true }>(
    command
      .command("injection [file...]")
      .description(words.help.injection)
      .option("--batch", words.help.batchInjection),
    async (context, files, { batch }) => {
      const { scanInjection, scanInjectionBatch } = await import("./injection.ts");
      return batch ? scanInjectionBatch(context) : scanInjection(context, files);
    },
  );
  start<{ batch?: true }>(
    command
      .command("packages [manifest...]")
      .description(words.help.packages)
      .option("--batch", words.help.batchPackages),
    async (context, manifests, { batch }) => {
      const { scanPackages, scanPackagesBatch } = await import("./packages.ts");
      return batch ? scanPackagesBatch(context) : scanPackages(context, manifests);
    },
  );
};
