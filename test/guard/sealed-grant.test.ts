// A grant is made by the fence alone: anything else does not compile, and what was forced past the compiler is refused.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, expectTypeOf, test } from "vitest";
import { type Grant, GrantError } from "../../src/guard/contract/grant.ts";
import { type GrantParts, requireGrant, sealGrant } from "../../src/guard/contract/sealed-grant.ts";
import { registry, reportOf } from "../support/grant.ts";
import { sourceFiles } from "../tidy/breaches.ts";

const root = path.resolve(import.meta.dirname, "../..");
const parts = {
  workspace: "/nowhere",
  files: { read: () => Promise.resolve({ bytes: new Uint8Array(), size: 0 }) },
} as unknown as GrantParts;

test("an object that looks like a grant does not compile as one", () => {
  expectTypeOf<GrantParts>().not.toExtend<Grant>();
  expectTypeOf<Grant>().toExtend<GrantParts>();
  expect(() => requireGrant(parts as Grant)).toThrow(GrantError);
});

test("a tool does nothing with a grant that the fence has not made, nor with an altered copy of one", async () => {
  const call = registry.parse("read", { path: "a.txt" });
  if ("problem" in call) throw new Error(call.problem);
  let reads = 0;
  const counting = {
    ...parts,
    files: {
      ...parts.files,
      read: () => {
        reads++;
        return Promise.resolve({ bytes: new Uint8Array(), size: 0 });
      },
    },
  } as unknown as GrantParts;
  const copy = { ...sealGrant(counting) };
  for (const grant of [counting as Grant, copy])
    await expect(call.tool.run(call.input as never, grant, reportOf())).rejects.toThrow(GrantError);
  expect(reads).toBe(0);
  await call.tool.run(call.input as never, sealGrant(counting), reportOf());
  expect(reads).toBe(1);
});

test("only the fence seals grants", () => {
  const sealing = sourceFiles(root, "src").filter((file) =>
    readFileSync(path.join(root, file), "utf8").includes("sealGrant"),
  );
  expect(sealing.sort()).toEqual([
    "src/guard/contract/grant.ts",
    "src/guard/contract/sealed-grant.ts",
    "src/guard/fence/fence.ts",
  ]);
});
