import { writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { variablesText } from "../../../src/io/sandbox/variables.ts";
import { networked, type Site, site } from "../support/egress.ts";
import { makeWorld, sandboxed, sandboxWorks, type World } from "../support/world.ts";

let world: World;
let granted: Site;

beforeAll(async () => {
  world = makeWorld();
  granted = await site((_request, response) => response.end("GRANTED\n"));
});
afterAll(() => {
  granted.close();
  world.remove();
});

test("names that a shell cannot set are refused", () => {
  for (const name of ["", "1", "a-b", "A=b", "x;id", "$x", "a b", "é"])
    expect(() => variablesText({ [name]: "value" })).toThrow("cannot be set");
  expect(() => variablesText({ NAME: "a\0b" })).toThrow("cannot be set");
});

describe.skipIf(!sandboxWorks())("variables of others", () => {
  test("property: any value arrives at the command as it is", async () => {
    const value = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom("'", '"', "$", "`", "\\", "\n", "(", " ", "é") }),
    );
    const wanted = value.filter((text) => !text.includes("\0") && text.isWellFormed());
    const values = fc.sample(wanted, 200);
    const variables = Object.fromEntries(values.map((each, at) => [`V_${at}`, each]));
    const { output } = await sandboxed(world, "env -0 | base64 -w0", { variables, process: { head: 100_000 } });
    const seen = new Map(
      Buffer.from(output, "base64")
        .toString()
        .split("\0")
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    for (const [name, each] of Object.entries(variables)) expect(seen.get(name)).toBe(each);
  });

  test("nothing that confines the command is started with them", async () => {
    const variables = { LD_PRELOAD: "/nowhere/evil.so", NODE_OPTIONS: "--require /nowhere/evil.js" };
    // The loader of each program says that it finds no such library: of the command's shell alone.
    const alone = await sandboxed(world, "exit 3", { variables });
    expect(alone.output.match(/evil\.so/g)).toHaveLength(1);
    expect(alone.code).toBe(3);
    const hosts = { hosts: [`localhost:${granted.port}`], anyPublic: false };
    const reaching = await networked(world, "unset LD_PRELOAD; : | exit 4", hosts, { variables });
    expect(reaching.output).not.toContain("evil.js");
    expect(reaching.output.match(/evil\.so/g)).toHaveLength(1);
    expect(reaching.code).toBe(4);
  });

  test("however many places are shown, a command with a way out gets its words, and neither the channel nor what it was told by", async () => {
    const shown = Array.from({ length: 12 }, (_, at) => path.join(world.home, `shown-${at}.txt`));
    for (const file of shown) writeFileSync(file, "seen\n");
    const hosts = { hosts: [`localhost:${granted.port}`], anyPublic: false };
    const command = `echo "[$0 $*]"; cat ${shown[11]}; ls -l /proc/self/fd | grep -c "socket:\\|fettle-[0-9a-f]\\|shown-"; curl -sS http://localhost:${granted.port}/`;
    const exit = await networked(world, command, hosts, { shown, variables: { WORD: "own" } });
    expect(exit.output).toBe("[/bin/bash ]\nseen\n0\nGRANTED\n");
  });
});
