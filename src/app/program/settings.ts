import type { Program } from "./program.ts";

/** Takes one value, or a section, out of the user's or the project's file. Rejects with a Fault. */
export async function unsetConfigValue(program: Program, layer: "user" | "project", key: string): Promise<void> {
  const { unsetValue } = await import("../../io/config/edit.ts");
  const { workspace, places, env } = program;
  await unsetValue({ workspace, places, env, layer, key });
}

/** Writes one value into the user's or the project's file, validated first, comments kept. Rejects with a Fault. */
export async function setConfigValue(
  program: Program,
  layer: "user" | "project",
  set: { key: string; value: string; also?: { key: string; value: string }[] | undefined },
): Promise<void> {
  const { setValue } = await import("../../io/config/edit.ts");
  const { key, value, also = [] } = set;
  const { workspace, places, env } = program;
  await setValue({ workspace, places, env, layer, key, value, also, whole: true });
}
