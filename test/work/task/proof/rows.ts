// A test file with its subject, and what is found in it.
import { expect, test } from "vitest";
import { judgeTest } from "../../../../src/work/task/proof/honesty/judge.ts";

interface Scene {
  path: string;
  subject: string;
  /** What the subject holds; absent while it is not written. */
  holds?: string;
}

export const grave = async ({ path, subject, holds }: Scene, text: string, before?: string): Promise<string[]> => {
  const subjects = [{ path: subject, ...(holds !== undefined && { text: holds }) }];
  const faults = await judgeTest({ path, text, subjects, ...(before !== undefined && { before }) });
  return [...new Set((faults ?? []).filter((each) => each.grave).map(({ code }) => code))];
};

/** Each row: what it is, what is found, the test. */
export type Row = [string, string[], string];
export const rows = (scene: Scene, table: readonly Row[]) =>
  test.each(table)("%s", async (_, expected, text) => expect(await grave(scene, text)).toEqual(expected));
