import type { StepPart } from "../../../protocol/project.ts";
import { phrases } from "../../phrases/phrases.ts";

export const projects = phrases("projects", {
  kinds: {
    phase: "phase",
    wave: "wave",
    plan: "plan",
    check: "check",
    agent: "agent",
  } satisfies Record<StepPart["kind"], string>,
  states: {
    waiting: "waits",
    working: "at work",
    done: "done",
    failed: "failed",
    left: "left out",
  } satisfies Record<StepPart["state"], string>,
  again: (step: string) => `${step} goes on where it was left`,
  left: (time: string) => `about ${time} left`,
  hint: "Ctrl-C stops it; what is done is kept",
  stopping: "stopping: what runs ends first",
  stopAgain: "Press Ctrl-C again to stop the step. What is done is kept, and the same command goes on.",
  deaf: "A step of a project hears only answers to its questions.",
  kept: (command: string) => `What is done is kept. Go on: ${command}`,
});
