import { expect, test } from "vitest";
import { QuestionQueue } from "../../../src/surfaces/cli/terminal/question-queue.ts";

test("an answered question takes no other away whose name begins like its own", async () => {
  const queue = new QuestionQueue(() => undefined);
  const asked: string[] = [];
  const ask = (name: string) =>
    queue.add(name, name, async (signal) => {
      asked.push(name);
      if (name === "question 1") await new Promise((over) => signal.addEventListener("abort", over));
    });
  const all = [ask("question 1"), ask("question 10"), ask("review 1")];
  queue.abortAll("review ");
  expect(queue.behind()).toEqual(["question 10"]);
  queue.abort("question 1");
  await Promise.all(all);
  expect(asked).toEqual(["question 1", "question 10"]);
});

test("a question that cannot be asked keeps no other from being asked", async () => {
  const queue = new QuestionQueue(() => undefined);
  const asked: string[] = [];
  await Promise.all([
    queue.add("question 1", "one", () => Promise.reject(new Error("no terminal"))),
    queue.add("question 2", "two", async () => void asked.push("two")),
  ]);
  expect([asked, queue.size]).toEqual([["two"], 0]);
});
