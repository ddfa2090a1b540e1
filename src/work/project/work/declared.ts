// The commands that the repository declares, as its files are in the working tree.
import { type DeclaredCommands, declaredCommands } from "../facts/plan-commands.ts";
import { textIn } from "../../task/world/texts.ts";
import type { ProjectWork } from "./work.ts";

export async function declaredIn({ world }: ProjectWork): Promise<DeclaredCommands> {
  const [packageJson, makefile, justfile] = await Promise.all(
    ["package.json", "Makefile", "justfile"].map((name) => textIn(world.root, name)),
  );
  return declaredCommands({
    ...(packageJson !== undefined && { packageJson }),
    ...(makefile !== undefined && { makefile }),
    ...(justfile !== undefined && { justfile }),
  });
}
