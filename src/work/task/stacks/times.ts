// How long a command may take is the gate's to say (`tools.timeout_secs`, by class); how long a state may, is said here.
import { classOf } from "../../../guard/assess/classes.ts";
import type { CommandClass } from "../../../protocol/effect.ts";
import type { StackProfile } from "./profile.ts";

/** A list takes the class with the longest limit among its parts. */
export const commandClass = (command: string): CommandClass =>
  classOf([command, ...command.split(/&&|\|\||[;\n|]/).map((part) => part.trim())]);

const minute = 60_000;
const hardCapMs = 90 * minute;

/** Slow compilers and image builds get longer than the setting, but never longer than a whole task may take. */
export const stateLimitMs = (profile: StackProfile | undefined, settingMs: number): number =>
  Math.min(hardCapMs, Math.max(settingMs, (profile?.minutes ?? 0) * minute));
