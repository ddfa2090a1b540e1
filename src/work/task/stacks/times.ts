// How long a command may take is the gate's to say (`tools.timeout_secs`, by class); how long a state may, is said here.
import { classOf } from "../../../guard/assess/classes.ts";
import type { CommandClass } from "../../../protocol/effect.ts";
import { profileOf } from "./list.ts";

/** A list takes the class with the longest limit among its parts. */
export const commandClass = (command: string): CommandClass =>
  classOf([command, ...command.split(/&&|\|\||[;\n|]/).map((part) => part.trim())]);

const minute = 60_000;
const hardCapMinutes = 90;

/** Slow compilers and image builds get longer than the setting, but never longer than a whole task may take. */
export const stateMs = (stack: string, settingMinutes: number): number =>
  Math.min(hardCapMinutes, Math.max(settingMinutes, profileOf(stack)?.minutes ?? 0)) * minute;
