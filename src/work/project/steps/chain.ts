// discuss goes on with plan, and plan with execute, where `--chain` or workflow.auto_advance wants it.
import type { Listed } from "./autonomous.ts";
import type { ProjectStep } from "./step.ts";

export const advancing = (step: ProjectStep, after: string, listed: Listed): ProjectStep => ({
  ...step,
  async run(work, args) {
    const end = await step.run(work, args);
    const { chain, auto } = args.options;
    const goesOn = chain === true || (await work.settings())["workflow.auto_advance"];
    const next = goesOn && (end.exit ?? 0) === 0 ? listed.named(after) : undefined;
    if (!next) return end;
    work.tell(end.text, true);
    const options = { ...(chain === true && { chain: true }), ...(auto === true && { auto: true }) };
    const inner = { words: args.words, options };
    return next.run(work.within(after, inner), inner);
  },
});
