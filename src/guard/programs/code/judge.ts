// Pieces of code that a command hands to an interpreter.
import { type Context, note } from "../../command-line/context/context.ts";
import { codeStaysInside, servesOwn } from "../../command-line/context/own-network.ts";
import { everyCodePattern } from "./patterns.ts";

const window = 6000;

/** What code does to the network, as its rows say it. */
const reaches = new Set(["opens a network socket", "sends data to a host", "uses the network", "serves a network"]);

/** Used by interpreters: does a piece of code reach the network, run a shell, or destroy? Long code is looked at in pieces. */
export function judgeCode(code: string, at: Context): void {
  const inside = codeStaysInside(code, at);
  for (let start = 0; start === 0 || start < code.length; start += window - 1000) {
    const piece = code.slice(start, start + window);
    for (const { pattern, risk, text, tag } of everyCodePattern)
      if (pattern.test(piece) && !(inside && reaches.has(text)) && !(text === "serves a network" && servesOwn(at)))
        note(at, risk, "code.content", text, tag);
    if (start + window >= code.length) return;
  }
}
