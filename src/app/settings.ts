import type { Program } from "./program.ts";

/** Writes one value into the user's or the project's file, validated first, comments kept. Rejects with a Fault. */
export async function setConfigValue(
  program: Program,
  layer: "user" | "project",
  key: string,
  value: string,
): Promise<void> {
  const { setValue } = await import("../io/config/edit.ts");
  await setValue({ workspace: program.workspace, places: program.places, env: program.env, layer, key, value });
}
