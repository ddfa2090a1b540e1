import type { ElicitRequestParams } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { elicited } from "../../../src/io/mcp/elicitation.ts";

/** What comes of a question, where the person gives these answers one after the other. */
async function answered(params: object, ...answers: (string | undefined)[]) {
  const asked: { question: string; options: string[] }[] = [];
  const told: string[] = [];
  const result = await elicited(params as ElicitRequestParams, {
    server: "box",
    ask: async (question, options) => {
      asked.push({ question, options });
      return answers[asked.length - 1];
    },
    told: (text) => told.push(text),
  });
  return { result, asked, told };
}

const form = (properties: object, required: string[] = []) => ({
  message: "About you.",
  requestedSchema: { type: "object", properties, required },
});

test("a form is asked field by field: choices, numbers within their bounds, defaults, what may be left out", async () => {
  const { result, asked } = await answered(
    form(
      {
        name: { type: "string", title: "Your name" },
        age: { type: "integer", minimum: 0, maximum: 150 },
        colour: { type: "string", enum: ["r", "b"], enumNames: ["Red", "Blue"], default: "b" },
        sizes: { type: "array", items: { enum: ["s", "m", "l"] } },
        news: { type: "boolean" },
        more: { type: "string" },
      },
      ["name", "age"],
    ),
    ...["Ada", "200", "36", 'Use "b"', "s, l", "No", "Leave it out"],
  );
  expect(result).toEqual({
    action: "accept",
    content: { name: "Ada", age: 36, colour: "b", sizes: ["s", "l"], news: false },
  });
  expect(asked[0]).toEqual({ question: "The MCP server box asks: About you.\nYour name", options: ["Decline"] });
  expect(asked[2]?.question).toContain('"200" does not fit: a whole number of 0 to 150.');
  expect(asked[3]?.options).toEqual(["Red", "Blue", 'Use "b"', "Leave it out", "Decline"]);
});

test("nothing goes back that a person did not give: declined, unanswered, never fitting, and what looks like a secret", async () => {
  const field = { colour: { type: "string", enum: ["red"] } };
  expect((await answered(form(field), "Decline")).result).toEqual({ action: "decline" });
  const nobody = await answered(form(field));
  expect([nobody.result.action, nobody.told]).toEqual(["decline", [expect.stringContaining("nobody can answer")]]);
  expect((await answered(form(field), "x", "y", "z")).result.action).toBe("decline");
  for (const name of ["password", "api_key", "Access Token", "PIN", "clientSecret"]) {
    const { result, asked, told } = await answered(form({ [name]: { type: "string" } }), "hunter2");
    expect([name, result, asked]).toEqual([name, { action: "decline" }, []]);
    expect(told[0]).toContain("looks like a secret");
  }
  const called = { x: { type: "string", description: "The password of your account." } };
  expect(await answered(form(called), "hunter2")).toMatchObject({ result: { action: "decline" }, asked: [] });
  const above = { ...form({ x: { type: "string" } }), message: `${" ".repeat(3_000)}Type your API key.` };
  expect(await answered(above, "hunter2")).toMatchObject({ result: { action: "decline" }, asked: [] });
  const choice = form({ x: { enum: ["a"], type: "string", description: "Which token to use" } }, ["x"]);
  expect((await answered(choice, "a")).result).toEqual({ action: "accept", content: { x: "a" } });
  expect((await answered(form({}), "Accept")).result).toEqual({ action: "accept", content: {} });
});

test("an address is shown with its host and never opened; one that hides where it leads is not even shown", async () => {
  const at = (url: string) => ({ mode: "url", message: "Sign in.", url, elicitationId: "1" });
  const { result, asked } = await answered(at("https://accounts.example.com/a"), "I have opened it");
  expect(result).toEqual({ action: "accept" });
  expect(asked[0]?.question).toContain("fettle does not open it.");
  for (const url of [
    "http://example.com/",
    "javascript:alert(1)",
    "https://a@b.example/",
    "file:///etc/passwd",
    "https://10.0.0.1/",
  ])
    expect([url, await answered(at(url), "I have opened it")]).toMatchObject([
      url,
      { result: { action: "decline" }, asked: [] },
    ]);
});
