// What went wrong, as the coder reads it: how it ended, where, the source at that place, and what was said.
import { withoutJunit, withoutReport } from "../../../base/report-wrapper.ts";
import { errorSignature } from "../../../engine/loops/error-signature.ts";
import { type CommandRun, endText } from "../world/commands.ts";
import { Repository } from "../world/git.ts";
import { textIn } from "../world/texts.ts";
import { culprit, errorPlaces } from "./errors.ts";
import { excerpt } from "./excerpt.ts";
import { telling } from "./telling.ts";

export interface Trouble {
  /** What is wrong, for the model. */
  text: string;
  /** Same for the same trouble. */
  signature: string;
  about: string;
  /** Repairs that it is worth, when that is fewer than usual. */
  most?: number;
}

const shown = 4000;
const mostPlaces = 8;

export async function troubleOf(folder: string, { command, ...ran }: CommandRun, most?: number): Promise<Trouble> {
  const run = { ...ran, output: withoutJunit(ran.output) };
  const repository = new Repository(folder);
  const open = (await repository.changed(true)).map(({ path }) => path);
  const place = culprit(run.output, [...new Set([...(await repository.files()), ...open])], folder);
  const source = place && excerpt((await textIn(folder, place.file)) ?? "", place.line);
  const places = errorPlaces(run.output)
    .slice(0, mostPlaces)
    .map(({ file, line }) => `${file}:${line}`);
  const text = [
    endText({ command, ...run }),
    ...(place && source ? [`Look first at ${place.file}:${place.line}:\n${source}`] : []),
    ...(places.length > 0 ? [`Places: ${places.join(", ")}`] : []),
    telling(run.output, shown),
  ].join("\n");
  const signature = `${command} ${errorSignature(run.output)}`;
  return { text, signature, about: withoutReport(command), ...(most !== undefined && { most }) };
}
