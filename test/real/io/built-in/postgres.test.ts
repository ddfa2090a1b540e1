// The PostgreSQL plugin's own process against a real server.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../../../src/io/built-in/postgres/program.ts";
import type { BuiltInProgram } from "../../../../src/io/built-in/serving/spec.ts";
import { type PostgresServer, postgresHere, startPostgres } from "../../../support/postgres.ts";

let server: PostgresServer;
let plugin: BuiltInProgram;
const password = "a-password-that-nobody-sees";

const open = (user: string, writable = true) =>
  openPostgres(
    { databases: [{ name: "shop", variable: "SHOP", host: `127.0.0.1:${server.port}`, writable }] },
    { SHOP: `postgres://${user}:${password}@127.0.0.1:${server.port}/postgres` },
  );
const ask = async (tool: string, input: object = {}, of = plugin): Promise<string[]> =>
  (await of.call(tool, { ...input })).parts.map((part) => (part.type === "text" ? part.text : part.mime));
const refusal = (tool: string, input: object = {}, of = plugin): Promise<string> =>
  ask(tool, input, of).then(
    (texts) => `not refused: ${texts.join()}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const rows = () =>
  server.run("SELECT string_agg(id || name || coalesce(price::text, '-'), ' ' ORDER BY id) FROM items");
const shownBy = (texts: readonly string[]) => JSON.parse(texts[1] ?? "null") as { digest: string; unstable: string[] };

describe.skipIf(!postgresHere)("PostgreSQL (skipped where it is not installed)", () => {
  beforeAll(async () => {
    server = await startPostgres();
    server.run(`
      CREATE TABLE items (id serial PRIMARY KEY, name text NOT NULL, price numeric, made timestamptz DEFAULT now());
      CREATE TABLE notes (id int PRIMARY KEY, item int REFERENCES items ON DELETE CASCADE);
      CREATE INDEX by_name ON items (name);
      CREATE VIEW cheap AS SELECT name FROM items WHERE price < 4;
      INSERT INTO items (name, price) VALUES ('tea', 3), ('ink', NULL), ('pen', 12345678901234567890.5);
      INSERT INTO notes VALUES (1, 1), (2, 1), (3, 2);
      CREATE ROLE worker LOGIN PASSWORD '${password}';
      GRANT ALL ON ALL TABLES IN SCHEMA public TO worker;
      GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO worker;
      CREATE ROLE admin LOGIN SUPERUSER PASSWORD '${password}';
      CREATE ROLE climber LOGIN PASSWORD '${password}' IN ROLE admin;`);
    plugin = open("worker");
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  test("schema, rows and plans are told", async () => {
    const [schema] = await ask("schema");
    expect(schema).toContain("TABLE public.items\n  id integer NOT NULL DEFAULT nextval('items_id_seq'::regclass)");
    expect(schema).toContain("FOREIGN KEY (item) REFERENCES items(id) ON DELETE CASCADE");
    expect(schema).toContain("CREATE INDEX by_name ON public.items USING btree (name)");
    expect(schema).toContain("VIEW public.cheap");
    const [told] = await ask("query", { sql: "SELECT name, price FROM items ORDER BY name;" });
    expect(told).toBe("name\tprice\nink\tNULL\npen\t12345678901234567890.5\ntea\t3");
    expect(await ask("query", { sql: "SELECT 1 WHERE false" })).toEqual(["No rows."]);
    expect((await ask("query", { sql: "SELECT generate_series(1, 1000000)" }))[0]).toContain(
      "200\n(more than 200 rows; the rest is left out)",
    );
    expect((await ask("explain", { sql: "DELETE FROM items" }))[0]).toContain("Delete on items");
    expect(rows()).toBe("1tea3 2ink- 3pen12345678901234567890.5");
  });

  test.for([
    "DELETE FROM items",
    "SELECT 1; DELETE FROM items",
    "SELECT 1; COMMIT; DELETE FROM items",
    "WITH gone AS (DELETE FROM items RETURNING *) SELECT * FROM gone",
    "SELECT set_config('transaction_read_only', 'off', true), nextval('items_id_seq')",
    "SELECT nextval('items_id_seq')",
    "SELECT * FROM items FOR UPDATE",
    "COPY items TO PROGRAM 'true'",
    "DO $$ BEGIN DELETE FROM items; END $$",
    "COMMIT",
  ])("a query writes nothing: %s", async (sql) => {
    const before = server.run("SELECT last_value FROM items_id_seq");
    expect(await refusal("query", { sql })).toMatch(/^PostgreSQL refuses: /);
    expect(rows()).toBe("1tea3 2ink- 3pen12345678901234567890.5");
    expect(server.run("SELECT last_value FROM items_id_seq")).toBe(before);
  });

  test("what a server lets a reading transaction do does not stay", async () => {
    await refusal("query", { sql: "SELECT lo_create(0), pg_notify('items', 'gone')" });
    expect(server.run("SELECT count(*) FROM pg_largeobject_metadata")).toBe("0");
  });

  test.for(["ANALYZE DELETE FROM items", "SELECT 1; DELETE FROM items"])("a plan runs nothing: %s", async (sql) => {
    expect(await refusal("explain", { sql })).toMatch(/^PostgreSQL refuses: /);
    expect(rows()).toContain("1tea3");
  });

  test("what takes too long is ended", async () => {
    expect(await refusal("query", { sql: "SELECT pg_sleep(60)" })).toBe(
      "The statement took longer than it may and was ended.",
    );
  });

  test("a superuser, and who may become one, is refused", async () => {
    for (const user of ["admin", "climber"])
      expect(await refusal("query", { sql: "SELECT 1" }, open(user))).toContain("is a superuser");
  });

  test("no error holds the password, and no other place is reached", async () => {
    const wrong = await refusal("query", { sql: "SELECT 1" }, open("nobody"));
    expect(wrong).toContain("password authentication failed");
    const said = await refusal("query", { sql: `SELECT '${password}'::int` });
    expect(said).toMatch(/^PostgreSQL refuses: /);
    expect(wrong + said).not.toContain(password);
    const elsewhere = openPostgres(
      { databases: [{ name: "shop", variable: "SHOP", host: "db.example.com:5432", writable: false }] },
      { SHOP: `postgres://worker:${password}@127.0.0.1:${server.port}/postgres` },
    );
    expect(await refusal("query", { sql: "SELECT 1" }, elsewhere)).toContain(
      "leads elsewhere than to db.example.com:5432",
    );
  });

  test("a rehearsal tells rows before and after, of foreign keys too, and changes nothing", async () => {
    const [update] = await ask("rehearse", { sql: "UPDATE items AS i SET price = 4 WHERE name IN ('tea', 'ink')" });
    expect(update).toContain("It would be: 2 updated in public.items.");
    expect(update).toMatch(/~ public\.items id=1 {2}name=tea {2}price=3 -> 4/);
    expect(update).toMatch(/~ public\.items id=2 {2}name=ink {2}price=NULL -> 4/);
    const [deleted] = await ask("rehearse", { sql: "DELETE FROM items WHERE name = 'tea' -- all of it" });
    expect(deleted).toContain("1 deleted from public.items, 2 deleted from public.notes");
    const [inserted] = await ask("rehearse", { sql: "INSERT INTO items (name) VALUES ('cup')" });
    expect(inserted).toContain("id=(decided when it runs)  name=cup  price=NULL  made=(decided when it runs)");
    expect(rows()).toBe("1tea3 2ink- 3pen12345678901234567890.5");
  });

  test.for([
    ["CREATE TABLE more (id int)", "PostgreSQL refuses"],
    ["DELETE FROM items; DELETE FROM notes", "PostgreSQL refuses"],
    ["SELECT 1", "Only one INSERT, UPDATE or DELETE"],
    ["WITH gone AS (DELETE FROM notes RETURNING *) DELETE FROM items", "Only one INSERT, UPDATE or DELETE"],
    ["DELETE FROM items RETURNING id", "Leave RETURNING out"],
    ["INSERT INTO notes SELECT generate_series(10, 2000), 1", "more than 1000 rows"],
    ["DELETE FROM items) SELECT 1 --", "PostgreSQL refuses"],
  ] as const)("cannot be shown, so is not run: %s", async ([sql, why]) => {
    expect(await refusal("rehearse", { sql })).toContain(why);
    expect(rows()).toBe("1tea3 2ink- 3pen12345678901234567890.5");
  });

  test("a change is made only where it touches what was shown", async () => {
    const sql = "UPDATE items SET price = price + 1 WHERE name = 'tea'";
    expect(await refusal("change", { sql })).toContain("Nobody has been shown");
    const shown = shownBy(await ask("rehearse", { sql }));
    server.run("UPDATE items SET price = 7 WHERE name = 'tea'");
    expect(await refusal("change", { sql, shown })).toContain("other rows than those that were shown");
    expect(rows()).toContain("1tea7");
    const again = shownBy(await ask("rehearse", { sql }));
    expect(await ask("change", { sql, shown: again })).toEqual(["Done: 1 updated in public.items."]);
    expect(rows()).toContain("1tea8");
    const insert = "INSERT INTO items (name) VALUES ('cup')";
    const seen = shownBy(await ask("rehearse", { sql: insert }));
    expect(await ask("change", { sql: insert, shown: seen })).toEqual(["Done: 1 inserted into public.items."]);
    expect(rows()).toContain("cup-");
    expect(await refusal("change", { sql: insert.replace("cup", "mug"), shown: seen })).toContain("other rows");
    expect(await refusal("rehearse", { sql: insert }, open("worker", false))).toBe("shop may only be read.");
  });
});
