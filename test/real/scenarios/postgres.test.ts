// The PostgreSQL plugin in the real program: the sandbox reaches the one host, and the connection string stands nowhere.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { byResults, call, configure, eventsOf, makeScene, resultText, those } from "../../scenarios/scene.ts";
import { waiting } from "../../scenarios/waiting.ts";
import { postgresHere, startPostgres } from "../../support/postgres.ts";
import { sandboxHere } from "../../support/sandbox.ts";

const use = (tool: string, input: object, id: string) =>
  call("mcp", { tool: `postgres__${tool}`, arguments: input }, id);
const password = "Qy7-nobody-sees-this-word";

test.skipIf(!sandboxHere || !postgresHere)(
  "is read without a question, and changed after one (skipped where PostgreSQL is not installed)",
  async () => {
    await using server = await startPostgres();
    server.run(`
      CREATE TABLE items (id int PRIMARY KEY, name text); INSERT INTO items VALUES (1, 'tea'), (2, 'ink');
      CREATE ROLE worker LOGIN PASSWORD '${password}'; GRANT ALL ON items TO worker;`);
    await using scene = await makeScene(
      byResults(
        [
          use("schema", {}, "s"),
          use("query", { sql: "SELECT name FROM items ORDER BY id" }, "q"),
          use("query", { sql: "DELETE FROM items" }, "w"),
          use("change", { sql: "UPDATE items SET name = 'cup' WHERE id = 2" }, "c"),
        ],
        "Done.",
      ),
      {
        git: true,
        env: { SHOP_URL: `postgres://worker:${password}@127.0.0.1:${server.port}/postgres` },
      },
    );
    configure(
      scene,
      `[database]\nwrite = ["shop"]\n\n[database.postgres.shop]\nhost = "127.0.0.1:${server.port}"\nconnection = "SHOP_URL"\n`,
    );
    const { run, id, row } = await waiting(scene);
    const { action } = row.request;
    expect(action.kind === "mcp" && action.lines).toEqual([
      "It would be: 1 updated in public.items.",
      "~ public.items id=2  name=ink -> cup",
    ]);
    expect(row.request.blast?.hosts).toEqual([`127.0.0.1:${server.port}`]);
    expect((await scene.run(["approve", id])).code).toBe(0);
    const { stdout, stderr, code } = await run.exited;
    expect(code).toBe(0);
    const events = eventsOf(stdout);
    expect(resultText(events, "s")).toContain("TABLE public.items");
    expect(resultText(events, "q")).toContain("name\ntea\nink");
    expect(resultText(events, "w")).toContain("PostgreSQL refuses");
    expect(resultText(events, "c")).toContain("Done: 1 updated in public.items.");
    expect(those(events, "approval.asked")).toHaveLength(1);
    expect(server.run("SELECT name FROM items WHERE id = 2")).toBe("cup");
    expect(stdout + stderr).not.toContain(password);
    const kept = spawnSync("grep", ["-rlF", password, scene.home.folder], { encoding: "utf8" }).stdout;
    expect(kept, "no file of fettle holds it").toBe("");
  },
);
