import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { getSecret, removeSecret, setSecret, writeKeychain } from "../../../src/io/places/keychain.ts";
import { temporaryFolder } from "../../support/folders.ts";

const name = `test-${process.pid}`;
const hasKeychain = writeKeychain(name, "probe") && (await removeSecret(name, "/nonexistent/credentials.json"));

test.skipIf(hasKeychain)(
  "without a keychain a secret goes to a private file, and only if the person agreed",
  async () => {
    const file = path.join(temporaryFolder(), "config", "credentials.json");
    expect(await getSecret(name, file)).toBeUndefined();
    await expect(setSecret(name, "s1", { plainFile: false }, file)).rejects.toMatchObject({
      code: "keychain.missing",
      exit: 2,
    });
    expect(await setSecret(name, "s1", { plainFile: true }, file)).toBe("file");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(await setSecret("other", "s2", { plainFile: false }, file)).toBe("file");
    expect(await getSecret(name, file)).toBe("s1");
    expect(await removeSecret(name, file)).toBe(true);
    expect(await removeSecret(name, file)).toBe(false);
    expect(await getSecret(name, file)).toBeUndefined();
    expect(await getSecret("other", file)).toBe("s2");
  },
);

test.runIf(hasKeychain)("with a keychain a secret never comes into the file", async () => {
  const file = path.join(temporaryFolder(), "credentials.json");
  expect(await setSecret(name, "s1", { plainFile: true }, file)).toBe("keychain");
  expect(await getSecret(name, file)).toBe("s1");
  expect(await removeSecret(name, file)).toBe(true);
  expect(() => readFileSync(file)).toThrow("ENOENT");
});

test("an open file is closed to others, a broken one is named", async () => {
  const file = path.join(temporaryFolder(), "credentials.json");
  writeFileSync(file, '{"a":"1"}');
  chmodSync(file, 0o644);
  expect(await getSecret("a", file)).toBe("1");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await getSecret("constructor", file)).toBeUndefined();
  for (const text of ["{", "[]", '{"a":1}', "null", '"x"']) {
    writeFileSync(file, text);
    await expect(getSecret("a", file)).rejects.toMatchObject({ code: "credentials.unusable", exit: 2 });
  }
});
