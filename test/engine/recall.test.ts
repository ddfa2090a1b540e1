// What was said earlier in a session is found by the words that a model would ask with, and what a person took back is not.
import { expect, test } from "vitest";
import { findWords, recallText } from "../../src/engine/context/recall.ts";
import { Session } from "../../src/engine/session/session.ts";
import { inMemory, openStore } from "../../src/io/store/store.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { cpuClock } from "../support/cpu.ts";

function opened() {
  const store = openStore(inMemory);
  store.createSession({ id: "s", workspace: "/w", cwd: "/w", at: 1, model: "m" });
  const session = Session.open("s", store);
  let turn = 0;
  let calls = 0;
  return {
    session,
    says(words: string, origin: "model" | "agent" = "model") {
      turn += 1;
      session.append({ type: "turn.started", turn, prompt: [{ type: "text", text: words }], origin });
    },
    reads(path: string, text: string, said = "") {
      calls += 1;
      const id = `c${calls}`;
      const round = { turn, round: calls, model: "m", vendor: "v", finish: "calls" as const, usage: noUsage, cost: 0 };
      const call = { type: "call" as const, id, name: "read", input: { path } };
      const content = said === "" ? [call] : [{ type: "text" as const, text: said }, call];
      session.append({ type: "round.ended", ...round, content });
      const parts = [{ type: "text" as const, text }];
      session.append({ type: "call.ended", turn, call: id, tool: "read", result: { status: "done", parts }, ms: 1 });
      return id;
    },
    [Symbol.dispose]: () => store.close(),
  };
}

const filler = (words: string) => Array.from({ length: 400 }, (_, at) => `${words} line ${at}`).join("\n");

test("questions in a model's words find what was said: sentences, names, paths, other forms, parts of words", () => {
  using world = opened();
  const { session } = world;
  world.says("Use Postgres for the orders, never SQLite: we decided that with the customer.");
  world.reads("src/orders.ts", filler("the orders of a customer and what was decided"), "I look at the orders.");
  world.reads("src/config.ts", `${filler("nothing")}\nexport function parseConfigFile(path: string) {}\n`);
  world.reads("src/login.ts", "const attempts = 3; // retries of the log in\n");
  world.says("Die Anmeldung soll nach drei Versuchen sperren. 数据库连接失败了。");
  const first = (words: string) => findWords(session, words)[0];
  expect(first("what did the user decide about the database for orders")).toMatchObject({ turn: 1, who: "the person" });
  expect(first("what did the user decide about the database for orders")?.excerpt).toContain("Postgres");
  expect(first("deciding customers")?.who).toBe("the person");
  expect(first("parse config")).toMatchObject({ call: "c2", who: "result of read src/config.ts" });
  expect(first("parse config")?.excerpt).toContain("parseConfigFile");
  expect(first("parseConfig function")?.call).toBe("c2");
  expect(first("src/login.ts")?.call).toBe("c3");
  expect(first("retry")?.call).toBe("c3");
  expect(first("wann soll die Anmeldung gesperrt werden")?.turn).toBe(2);
  expect(first("onfigFil")?.call).toBe("c2");
  expect(first("连接")?.turn).toBe(2);
  expect(first('"quoted" AND NOT (x OR *: ^')).toBeUndefined();
  expect(findWords(session, "walrus")).toEqual([]);
});

test("what was cleared or rewound comes back neither by words nor by its call, and what follows does", async () => {
  using world = opened();
  const { session } = world;
  world.says("walrus one");
  const cleared = world.reads("a.txt", "the walrus of the first part");
  expect(await recallText(session, { call: cleared })).toContain("first part");
  session.append({ type: "session.cleared" });
  world.says("walrus two");
  const kept = world.reads("b.txt", "the walrus of the second part");
  world.says("walrus three");
  const rewound = world.reads("c.txt", "the walrus of the third part");
  expect(findWords(session, "walrus").map(({ turn }) => turn)).toContain(3);
  session.append({ type: "session.rewound", turn: 3, conversation: true });
  for (const call of [cleared, rewound])
    expect(await recallText(session, { call })).toBe(`No call of this conversation is named "${call}".`);
  expect(await recallText(session, { call: kept })).toContain("second part");
  expect(new Set(findWords(session, "walrus part").map(({ turn }) => turn))).toEqual(new Set([2]));
  expect(findWords(session, "alru").every(({ turn }) => turn === 2)).toBe(true);
  world.says("walrus four");
  expect(findWords(session, "four")[0]?.turn).toBe(4);
});

test("a session is read once, and later only what is new of it", () => {
  using world = opened();
  world.says("begin");
  for (let at = 0; at < 50; at += 1) world.reads(`src/${at}.ts`, `the number ${at} of fifty`);
  let read = 0;
  const counting = {
    *history(after = 0) {
      for (const fact of world.session.history(after)) {
        read += 1;
        yield fact;
      }
    },
    fact: (seq: number) => world.session.fact(seq),
  };
  expect(findWords(counting, "number 17")[0]?.call).toBe("c18");
  expect(read).toBe(101);
  expect(findWords(counting, "number 18")[0]?.call).toBe("c19");
  expect(read).toBe(101);
  world.reads("new.ts", "the walrus is new");
  expect(findWords(counting, "walrus")[0]?.call).toBe("c51");
  expect(read).toBe(103);
});

test("a hostile question is answered within a moment, and a long path is found by its end", () => {
  using world = opened();
  world.says("begin");
  world.reads("a.txt", "a.".repeat(20_000));
  const spent = cpuClock();
  expect(findWords(world.session, "a.".repeat(20_000))[0]?.call).toBe("c1");
  expect(spent()).toBeLessThan(1_000);
  const deep = "one/two/three/four/five/six/seven/eight";
  world.reads("b.txt", `${deep}/walrus.ts`);
  world.reads("c.txt", `${deep}/other.ts walrus`);
  expect(findWords(world.session, `${deep}/walrus.ts`)[0]?.call).toBe("c2");
});

test("a hostile text of one endless word is taken in within a moment", () => {
  using world = opened();
  world.says("begin");
  world.reads("a.txt", `${"a".repeat(400_000)}aB${"cD".repeat(100_000)} walrus`);
  const spent = cpuClock();
  expect(findWords(world.session, "walrus")[0]?.call).toBe("c1");
  expect(spent()).toBeLessThan(2_000);
});
