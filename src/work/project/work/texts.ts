import type { ProjectWork } from "./work.ts";

/** The texts of those files of HEAD that there are, one after the other. */
export async function committedTexts({ repository }: ProjectWork, names: readonly string[]): Promise<string> {
  const texts = await Promise.all(names.map((name) => repository.text("HEAD", name)));
  return texts.filter(Boolean).join("\n");
}
