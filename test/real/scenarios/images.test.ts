// The images plugin in the real program: an image without its metadata, and the words in a picture, in the sandbox.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packageFolder } from "../../../src/io/built-in/place.ts";
import { decisionOf } from "../../scenarios/hook-files.ts";
import { byResults, call, configure, makeScene, messagesOf, resultText, those } from "../../scenarios/scene.ts";
import { sandboxHere } from "../../support/sandbox.ts";

const browser = "/usr/bin/chromium-headless-shell";
const here = sandboxHere && existsSync(browser) && packageFolder("tesseract.js") !== undefined;
const use = (tool: string, input: object, id: string) => call("mcp", { tool: `images__${tool}`, arguments: input }, id);

test.skipIf(!here)(
  "metadata is told and taken out, and words are read (skipped without chromium-headless-shell, which draws them)",
  async () => {
    await using scene = await makeScene(
      byResults(
        [
          use("look", { path: "sign.png" }, "l"),
          use("text", { path: "sign.png", language: "eng" }, "t"),
          use("text", { path: "sign.png", language: "deu" }, "d"),
          use("look", { path: "page.html" }, "h"),
          use("look", { path: "/etc/passwd" }, "o"),
        ],
        "Done.",
      ),
      { git: true, files: { "page.html": "<body style='font: 48px serif'>The kettle boils<br>Der Kessel läuft über" } },
    );
    const drawn = [`--screenshot=${scene.at("sign.png")}`, "--no-sandbox", "--window-size=700,200"];
    execFileSync(browser, [...drawn, `file://${scene.at("page.html")}`], { stdio: "ignore", timeout: 60_000 });
    const plain = readFileSync(scene.at("sign.png"));
    const comment = Buffer.from("\0\0\0\x15tEXtComment\0taken at home0000", "latin1");
    writeFileSync(scene.at("sign.png"), Buffer.concat([plain.subarray(0, 33), comment, plain.subarray(33)]));
    configure(scene, "[images]\nenabled = true\n");
    const { events, code } = await scene.tell(["go"]);
    expect(code).toBe(0);
    expect(resultText(events, "l")).toMatch(/image\/png, \d+ bytes[^]*tEXt, 33 bytes: [^]*taken at home/);
    expect(resultText(events, "t")).toContain("The kettle boils");
    expect(resultText(events, "d")).toContain("läuft über");
    expect(resultText(events, "h")).toContain("is no whole PNG, JPEG, GIF or WebP");
    expect(resultText(events, "o")).toContain("is no file of the workspace");
    expect(decisionOf(events, "t")).toMatchObject({ verdict: "allow", risk: "L0" });
    expect(those(events, "taint.raised")).toMatchObject([{ source: "mcp images" }]);
    const sent = JSON.stringify(messagesOf(scene.server.requests.at(-1) as never));
    expect(sent).toContain(`base64,${plain.toString("base64").slice(0, 60)}`);
    expect(sent).not.toContain(comment.toString("base64").slice(8, 32));
  },
);
