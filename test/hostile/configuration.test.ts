// Configuration that cannot be meant: one sentence with the place, a remedy, exit 2, and no model is asked.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { makeScene } from "../scenarios/scene.ts";
import { expectNoTrace, expectRefused } from "./support.ts";

// What all the texts of files and variables mean is in test/io/config; here that every run ends by them.
test("broken, unknown or unreadable configuration ends a run with its place; doctor shows it and goes on", async () => {
  await using scene = await makeScene([]);
  const folder = path.join(scene.home.folder, ".config/fettle");
  const user = path.join(folder, "config.toml");
  mkdirSync(folder, { recursive: true });
  const refused = async (sentence: RegExp, env: Record<string, string> = {}) =>
    expectRefused(await scene.run(["-p", "go"], { env }), 2, sentence);

  writeFileSync(user, "[limits\nrounds = 5\n");
  await refused(
    /^fettle: ~\/\.config\/fettle\/config\.toml:1: not valid TOML: .+\nCorrect the line, or remove the file\.$/m,
  );
  writeFileSync(user, Buffer.from([0, 255, 254, 0, 1]));
  await refused(/^fettle: ~\/\.config\/fettle\/config\.toml:1: not valid TOML/);
  writeFileSync(user, "[limits]\nroundz = 6\n");
  await refused(/^fettle: \S+config\.toml:2: unknown key limits\.roundz; did you mean limits\.rounds\?$/m);
  const doctor = await scene.run(["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout.replace(/\s+/g, " ")).toMatch(/✗ configuration \S+config\.toml:2: unknown key limits\.roundz/);
  expect(doctor.stdout).toMatch(/✓ ledger/);
  expectNoTrace(doctor);
  rmSync(user);
  mkdirSync(user);
  await refused(/^fettle: \S+config\.toml: is a folder, not a file\.\n/);
  rmSync(user, { recursive: true });
  await refused(/^fettle: FETTLE_LIMITS_ROUNDS: limits\.rounds must be a whole number of at least 1, not "x"\.$/m, {
    FETTLE_LIMITS_ROUNDS: "x",
  });
  scene.put(".fettle/config.toml", "[autonomy]\nlevle = 1\n");
  await refused(
    /^fettle: ~\/work\/\.fettle\/config\.toml:2: unknown key autonomy\.levle; did you mean autonomy\.level\?$/m,
  );
  rmSync(scene.at(".fettle"), { recursive: true });
  writeFileSync(path.join(folder, "policy.toml"), "[policy]\nmax_autonomy_level = 9\n");
  await refused(/^fettle: \S+policy\.toml:2: policy\.max_autonomy_level must be a whole number from 0 to 5, not 9\.$/m);
  expect(scene.server.requests).toHaveLength(0);
});
