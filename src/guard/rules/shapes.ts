// What forbids a program by its arguments, as one index.
import type { Shape } from "./shape.ts";
import { elsewhereShapes } from "./shapes-elsewhere.ts";
import { machineShapes } from "./shapes-machine.ts";
import { windowsShapes } from "./shapes-windows.ts";

export const shapes: readonly Shape[] = [...machineShapes, ...elsewhereShapes, ...windowsShapes];

const index = new Map<string, Shape[]>();
for (const shape of shapes)
  for (const name of shape.programs.split(" ")) index.set(name, [...(index.get(name) ?? []), shape]);

export const shapesOf = (program: string): readonly Shape[] => index.get(program) ?? [];

/** Examples that a shape gets wrong under `judge`; empty when all hold. Run by the tests, not when the program runs. */
export const checkShapes = (judge: (command: string) => string): string[] =>
  shapes.flatMap(({ match, notMatch }) => [
    ...match.filter((command) => judge(command) !== "L3").map((command) => `${command}: ${judge(command)}, not L3`),
    ...notMatch.filter((command) => judge(command) === "L3").map((command) => `${command}: L3`),
  ]);
