// Hooks of the person's own, as files and settings.
import path from "node:path";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { type Scene, those } from "./scene.ts";

/** A script of the person's own, in a folder below the home. */
export const script = (scene: Scene, name: string, text: string): string => {
  const file = path.join(scene.home.folder, "hooks", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
};

export const hook = (event: string, command: string, more = "") =>
  `[[hooks]]\nevent = "${event}"\ncommand = ${JSON.stringify(command)}\n${more}\n`;

export const decisionOf = (events: Parameters<typeof those>[0], id: string) =>
  those(events, "call.decided").find((fact) => fact.call === id)?.decision;
