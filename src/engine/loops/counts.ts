/** Each counts how long something has gone on; what breaks it off sets it back. */
export interface Counts {
  /** Identical calls in a row whose result stays the same. */
  call: number;
  /** Rounds with calls that brought nothing new. */
  idle: number;
  /** Rounds in which every call failed. */
  failing: number;
  /** Changes of a file that were made before, without a new content between. */
  spiral: number;
  /** Changes of one file that left an error as it was. */
  error: number;
  /** Answers that say the same without a new call. */
  text: number;
}

export const noCounts: Counts = { call: 0, idle: 0, failing: 0, spiral: 0, error: 0, text: 0 };
