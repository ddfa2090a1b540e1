// What the gate takes a path of /tmp for is where the sandbox writes it.
import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createFacts } from "../../../src/io/facts.ts";
import { makeWorld, sandboxed, sandboxWorks } from "../support/world.ts";

const world = makeWorld();
afterAll(() => world.remove());
const { home, workspace, temporary } = world;

describe.skipIf(!sandboxWorks())("the private /tmp", () => {
  test("property: every path in it is judged as the file that a command writes there", async () => {
    const facts = createFacts({ workspace, home, temporary, own: [], env: {}, privateTmp: true });
    const part = fc.stringMatching(/^[a-z][a-z0-9._-]{0,8}$/);
    const paths = fc.array(fc.array(part, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(paths, async (all) => {
        const places = all.map((parts) => `/tmp/dir-${parts.join("/d-")}/file`);
        const command = places.map((place) => `mkdir -p ${place.replace(/\/file$/, "")}; echo ${place} > ${place}`);
        await sandboxed(world, command.join("\n"), { scratch: temporary });
        facts.refresh();
        for (const place of places) {
          const { real } = facts.path(place);
          expect(real.startsWith(`${temporary}/`)).toBe(true);
          expect(readFileSync(real, "utf8")).toBe(`${place}\n`);
          expect(existsSync(place)).toBe(false);
        }
      }),
      { numRuns: 5 },
    );
    expect(facts.path("/tmp").real).toBe(temporary);
    expect(facts.path(`${workspace}/a`).real).toBe(`${workspace}/a`);
    expect(facts.path("/tmp/../etc").real).toBe("/etc");
  });

  test("an entry that is a place of the machine is not replaced, also by the folder's other name", async () => {
    const entry = workspace.split("/")[2] ?? "";
    const ways = [`/tmp/${entry}`, `${temporary}/${entry}`];
    const command = ways.map((way) => `mv ${way} ${way}.old; rmdir ${way}; ln -sfn /etc ${way}`).join("; ");
    await sandboxed(world, command, { scratch: temporary });
    const after = await sandboxed(world, `touch ${workspace}/made; stat -c %F /tmp/${entry}`, { scratch: temporary });
    expect(after.output).toContain("directory");
    expect(existsSync(`${workspace}/made`)).toBe(true);
  });
});
