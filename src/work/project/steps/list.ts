// Every step there is. A step is one file in this folder and one line here.
import { fast } from "./fast.ts";
import type { ProjectStep } from "./step.ts";

export const steps: readonly ProjectStep[] = [fast];

export const stepNamed = (name: string): ProjectStep | undefined => steps.find((step) => step.name === name);
