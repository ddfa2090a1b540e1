// Where a one-shot prompt comes from: the command line, standard input, or both.
import type { Part } from "../../../protocol/message.ts";
import { usageFault } from "./failure.ts";
import type { CliInput } from "./host.ts";
import { general } from "../words/general.ts";

const patienceMs = 3_000;
/** More than any model's window holds. */
const mostBytes = 8_000_000;

/** All of a stream; undefined when `patienceMs` passed without anything and `mayGiveUp`. Rejects when there is too much. */
function readAll(stdin: CliInput, mayGiveUp: boolean): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const timer = mayGiveUp ? setTimeout(() => finish(undefined), patienceMs) : undefined;
    let bytes = 0;
    const leave = () => {
      clearTimeout(timer);
      stdin.removeListener("data", take);
      stdin.removeListener("end", end);
      stdin.removeListener("error", reject);
    };
    const finish = (text: string | undefined) => {
      leave();
      if (text === undefined) stdin.pause();
      resolve(text);
    };
    const take = (chunk: Buffer | string) => {
      clearTimeout(timer);
      chunks.push(Buffer.from(chunk));
      bytes += chunks.at(-1)?.length ?? 0;
      if (bytes <= mostBytes) return;
      leave();
      stdin.pause();
      reject(usageFault(general.stdinTooLong(mostBytes / 1_000_000), general.stdinAsFile));
    };
    const end = () => finish(new TextDecoder().decode(Buffer.concat(chunks)));
    stdin.on("data", take).on("end", end).on("error", reject).resume();
  });
}

interface PromptSource {
  /** Words of the command line, joined. */
  typed: string;
  stdin: CliInput;
  /** Tells why it takes so long, or what was skipped. */
  warn(text: string): void;
}

/** Empty when there is neither. Piped text beside a typed prompt is marked as data. */
export async function gatherPrompt({ typed, stdin, warn }: PromptSource): Promise<Part[]> {
  const prompt: Part[] = typed.trim() === "" ? [] : [{ type: "text", text: typed }];
  if (stdin.isTTY) return prompt;
  const piped = await readAll(stdin, prompt.length > 0);
  if (piped === undefined) warn(general.stdinSkipped);
  if (piped === undefined || piped.trim() === "") return prompt;
  if (prompt.length === 0) return [{ type: "text", text: piped.trimEnd() }];
  return [...prompt, { type: "text", text: piped, source: general.stdinSource }];
}
