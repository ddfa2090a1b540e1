import fc from "fast-check";
import { expect, test } from "vitest";
import { withSecretFindings } from "../../src/guard/firewall/findings.ts";
import { createFirewall } from "../../src/guard/firewall/firewall.ts";
import { scrubbed } from "../../src/guard/firewall/scrubbed.ts";
import type { Action } from "../../src/protocol/action.ts";
import type { Assessment } from "../../src/protocol/effect.ts";
import type { Message } from "../../src/protocol/message.ts";
import type { ModelRequest } from "../../src/protocol/request.ts";
import { builtinTools } from "../../src/tools/builtin.ts";
import { createRegistry } from "../../src/tools/registry.ts";
import { ownSystem } from "../../src/engine/context/prefix.ts";
import { findable, random } from "./secret-examples.ts";
import { cpuClock } from "../support/cpu.ts";

const firewall = createFirewall(Buffer.alloc(32, 7));
const githubToken = `ghp_${random}`;
test("hashes, ids and ordinary code stay", () => {
  const texts = [
    "commit 852adab0c5a1f0e9d8c7b6a5948372615f4e3d2c",
    '"integrity": "sha512-k7Qx9ZbT2mVw4RcY8pLs6NdF3hJg5KtB1vXqk7Qx9ZbT2mVw4RcY8pLs6NdF3hJg5KtB1vXqk7Qx9ZbT2mVw=="',
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  file.tar.gz",
    "id: 3b241101-e2bb-4255-8caf-4136c566a962",
    "export const token = z.string().min(8);",
    "if (token === undefined) throw new TokenError('missing');",
    "password: z.string(), apiKey: options.apiKey ?? env.API_KEY",
    "cacheKey = `${folder}:${digest}`",
    "type Token = { kind: TokenKind; text: string };",
    "for (const token of tokens) { if (token.type === 'identifier') next(); }",
    "secretPatterns: readonly SecretPattern[] = []",
  ];
  for (const text of texts) expect(firewall.redact(text)).toEqual({ text, found: [] });
});

test("redaction is deterministic, idempotent and undone by the file of origin only", () => {
  const file = `NAME=demo\nGITHUB=${githubToken}\nDB_PASSWORD=h7Tz!k2Qx9\n`;
  const { text, found } = firewall.redact(file);
  expect(found).toHaveLength(2);
  expect(text).not.toContain(githubToken);
  expect(firewall.redact(text)).toEqual({ text, found: [] });
  expect(firewall.redact(file).text).toBe(text);
  const changed = text.replace("demo", "other");
  expect(firewall.restore(changed, file)).toEqual({ text: file.replace("demo", "other") });
  expect(firewall.restore(changed, "NAME=demo\n")).toEqual({
    missing: expect.arrayContaining([expect.stringContaining("github")]),
  });
  expect(createFirewall(Buffer.alloc(32, 8)).redact(file).text).not.toBe(text);
});

test("every value of an environment file is a secret, and comes back", () => {
  const file = "# settings\nexport USER=anna\nPASS='hunter2'\nEMPTY=\nURL=\"http://x y\" # note\n";
  const { text } = firewall.redact(file, "environment");
  for (const secret of ["anna", "hunter2", "http://x y"]) expect(text).not.toContain(secret);
  expect(text).toContain("EMPTY=\n");
  expect(firewall.restore(text, file)).toEqual({ text: file });
});

test("a mark that the file itself holds stays as it is", () => {
  const file = "The mark looks like «secret:github:0123456789».";
  expect(firewall.restore(`${file} Indeed.`, file)).toEqual({ text: `${file} Indeed.` });
});

test("a mark that was garbled is not taken for text: it would stand in the secret's place", () => {
  const file = `key = ${githubToken}\n`;
  const { text } = firewall.redact(file);
  const mark = /«[^»]+»/.exec(text)?.[0] ?? "";
  const garbled = [mark.replace(/.»$/, "»"), mark.replace("»", "0»"), mark.toUpperCase(), mark.replace("»", "")];
  for (const each of [...garbled, mark.replace(":", ": ")]) {
    expect(firewall.restore(text.replace(mark, each), file), each).toEqual({
      missing: [expect.stringContaining(each)],
    });
  }
  expect(firewall.restore("The sign «secret:…» stands for one.", file)).toHaveProperty("text");
});

const plain: Assessment = { risk: "L1", effects: [], reasons: [], tags: [], digest: "" };
const encoded = (text: string, sign = "%") =>
  [...text].map((letter) => `${sign}${letter.charCodeAt(0).toString(16)}`).join("");

test.each<[string, Action]>([
  ["an option's value", { kind: "program", argv: ["tool", "--password", ["hT7$kd", "93jQpz"].join("")] }],
  [
    "beside a letter that cannot be decoded",
    { kind: "fetch", url: `https://a.example/%ff?x=${encoded(githubToken)}`, method: "GET" },
  ],
  ["encoded twice", { kind: "fetch", url: `https://a.example/?x=${encoded(githubToken, "%25")}`, method: "GET" }],
  [
    "another one in the place of one",
    {
      kind: "change",
      changes: [{ op: "edit", path: "a", edits: [{ old: githubToken, new: `${githubToken.slice(0, -8)}Zq8Kd3Lw` }] }],
    },
  ],
])("a secret in an action is seen: %s", (_what, action) => {
  expect(withSecretFindings(action, plain, firewall).tags).toHaveLength(1);
});

test("a secret that an edit only leaves where it is asks for nothing", () => {
  const edits = [{ old: `a ${githubToken}`, new: `b ${githubToken}` }];
  const action: Action = { kind: "change", changes: [{ op: "edit", path: "a", edits }] };
  expect(withSecretFindings(action, plain, firewall).tags).toEqual([]);
});

test("rows of names take time in proportion to their length", () => {
  for (const row of ["Secret=A1b2", "AccountKey=A1b2", "apikey=A1b2"]) {
    const spent = cpuClock();
    firewall.redact(row.repeat(10_000));
    expect(spent(), row).toBeLessThan(700);
  }
});

test("property: whatever surrounds secrets, redacting and restoring gives the file back", () => {
  const secret = fc.constantFrom(...findable.map(([, example]) => example));
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), secret, fc.constantFrom("\n", " = ", '"')), { maxLength: 12 }),
      fc.boolean(),
      (pieces, environment) => {
        const file = pieces.join("");
        const { text } = firewall.redact(file, environment ? "environment" : "ordinary");
        expect(firewall.restore(text, file)).toEqual({ text: file });
      },
    ),
  );
});

test("a request is scrubbed everywhere, and a message only once", () => {
  const call: Message = {
    role: "assistant",
    vendor: "x",
    content: [
      { type: "reasoning", text: `signed ${githubToken}`, vendor: "x", vendorData: { x: { signature: "s" } } },
      { type: "text", text: `I use ${githubToken}` },
      {
        type: "call",
        id: "1",
        name: "shell",
        input: { command: `curl ${githubToken}`, env: { password: "h7Tz!k2Qx9" } },
      },
    ],
  };
  const plain: Message = { role: "user", content: [{ type: "text", text: "hello" }] };
  const result: Message = {
    role: "tool",
    content: [
      { type: "result", call: "1", name: "shell", failed: false, parts: [{ type: "text", text: githubToken }] },
    ],
  };
  const request = {
    model: "m",
    system: `sys ${githubToken}`,
    tools: [],
    messages: [plain, call, result],
    maxOutputTokens: 1,
  };
  const opened = scrubbed.open(firewall.scrub(request));
  const sent = JSON.stringify({ ...opened, messages: opened?.messages });
  expect(sent.split(githubToken)).toHaveLength(2);
  expect(sent).not.toContain("h7Tz!k2Qx9");
  expect(sent).toContain(`signed ${githubToken}`);
  expect(opened?.messages[0]).toBe(plain);
  const again = scrubbed.open(firewall.scrub({ ...request, messages: [...request.messages, plain] }));
  expect(again?.messages[1]).toBe(opened?.messages[1]);
});

test("what fettle says to every model holds no secret, and is not looked at again; all else is", () => {
  const registry = createRegistry(builtinTools);
  const firewall = createFirewall(Buffer.alloc(32, 1));
  for (const text of [ownSystem, JSON.stringify(registry.specs)]) expect(firewall.redact(text).found).toEqual([]);
  const knowing = createFirewall(Buffer.alloc(32, 1), undefined, { system: ownSystem, tools: registry.specs });
  const request = (system: string, tools = registry.specs): ModelRequest => ({
    ...{ model: "m", maxOutputTokens: 1, messages: [], system, tools },
  });
  const sent = (each: ModelRequest) => scrubbed.open(knowing.scrub(each));
  expect(sent(request(`${ownSystem}\n\nToken: ${githubToken}\n`))?.system).not.toContain(githubToken);
  expect(sent(request(`Token: ${githubToken}\n${ownSystem}`))?.system).not.toContain(githubToken);
  const [first] = registry.specs;
  if (!first) throw new Error("no tools");
  const foreign = [{ ...first, description: githubToken }];
  expect(JSON.stringify(sent(request(ownSystem, foreign))?.tools)).not.toContain(githubToken);
});
