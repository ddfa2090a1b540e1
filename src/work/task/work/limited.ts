import type { Stop } from "../../../protocol/event.ts";

/** A limit of money or time has cut a mission off: a person raises it, or ends the task. */
export class Limited extends Error {
  override readonly name = "Limited";
  readonly stop: Stop;

  constructor(stop: Stop) {
    super(stop.text);
    this.stop = stop;
  }
}

export const isLimit = ({ kind }: Stop): boolean => kind === "budget" || kind === "time";
