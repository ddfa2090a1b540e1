import type { Permit } from "./permit.ts";

/** Who wrote a hook down, or trusted it, has allowed its runs; limits hold all the same. */
export const definedHook: Permit = {
  name: "hooks",
  covers: (_assessment, { hook }) =>
    hook === undefined ? undefined : { rule: `hooks.${hook}`, text: `It is the hook ${hook}.`, tell: false },
};
