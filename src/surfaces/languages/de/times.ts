import type { words } from "../../cli/host/times.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const times: Translation<typeof words> = {
  bad: (flag, given) => `--${flag} braucht ein Datum oder ein Alter wie 30m, 2h oder 7d, nicht „${given}“.`,
};
