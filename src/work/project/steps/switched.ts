// Commands that a setting of the project can switch off.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { ReadSettings } from "../facts/settings.ts";
import type { ProjectWork } from "../work/work.ts";

type Switch = { [K in keyof ReadSettings]: ReadSettings[K] extends boolean ? K : never }[keyof ReadSettings];

export async function refuseOff(work: ProjectWork, setting: Switch): Promise<void> {
  if ((await work.settings())[setting]) return;
  throw new Fault(
    "project.off",
    Exit.usage,
    `${setting} is off in .planning/config.json.`,
    `Switch it on: fettle project settings set ${setting} true`,
  );
}
