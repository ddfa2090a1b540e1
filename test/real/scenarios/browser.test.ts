// The browser plugin in the real program: Chromium in the sandbox, on a page of this machine.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pluginPlaces } from "../../../src/io/built-in/place.ts";
import { decisionOf } from "../../scenarios/hook-files.ts";
import { byResults, call, configure, makeScene, messagesOf, resultText, those } from "../../scenarios/scene.ts";
import { sandboxHere } from "../../support/sandbox.ts";

const browserHere = existsSync("/usr/bin/chromium-headless-shell") && pluginPlaces(["playwright-core"]).length > 2;
const use = (tool: string, input: object, id: string) =>
  call("mcp", { tool: `browser__${tool}`, arguments: input }, id);

const page = (colour: string) => `<!doctype html><title>Shop</title><body style="background:${colour};margin:0">
<h1>Tea</h1><input aria-label="Amount"><button onclick="document.title = 'Bought ' + document.querySelector('input').value">Buy</button>
<script>console.log("ready to sell"); fetch("/missing").then((answer) => answer.text()); fetch("http://127.0.0.1:${other.port}/secret").catch(() => console.log("not reached"));
setTimeout(() => { throw new Error("too late") })</script>`;

const served: string[] = [];
const other = { port: 0, asked: 0 };
let colour = "white";
const shop = createServer((request, response) => {
  served.push(request.url ?? "");
  const found = request.url === "/";
  response.writeHead(found ? 200 : 404, { "content-type": "text/html" }).end(found ? page(colour) : "");
  if (request.url === "/red") colour = "red";
});
const neighbour = createServer((_request, response) => {
  other.asked += 1;
  response.end("secret");
});

beforeAll(async () => {
  await Promise.all([shop, neighbour].map((each) => new Promise<void>((up) => each.listen(0, "127.0.0.1", up))));
  other.port = (neighbour.address() as AddressInfo).port;
});
afterAll(() => [shop, neighbour].forEach((each) => void each.close()));

test.skipIf(!sandboxHere || !browserHere)(
  "opens, reads, clicks, types, looks and compares on the granted host alone (skipped without chromium-headless-shell)",
  async () => {
    const { port } = shop.address() as AddressInfo;
    const home = `http://127.0.0.1:${port}/`;
    await using scene = await makeScene(
      byResults(
        [
          use("open", { url: home }, "o"),
          use("read", {}, "r"),
          use("type", { target: "input", text: "3" }, "t"),
          use("click", { target: "role=button[name=Buy]" }, "c"),
          use("console", {}, "l"),
          use("network", {}, "n"),
          use("screenshot", {}, "s"),
          use("open", { url: "file:///etc/passwd" }, "f"),
          use("open", { url: `http://127.0.0.1:${other.port}/` }, "e"),
          use("open", { url: "http://example.com/" }, "x"),
          use("open", { url: home }, "o2"),
          use("compare", { picture: "shop" }, "p0"),
          use("compare", { picture: "../shop" }, "p1"),
        ],
        "Done.",
      ),
      { git: true },
    );
    const pictures = scene.at("../pictures");
    mkdirSync(pictures);
    configure(
      scene,
      `[browser]\nenabled = true\nhosts = ["127.0.0.1:${port}"]\npictures = ${JSON.stringify(pictures)}\n`,
    );
    const { events, code } = await scene.tell(["go"]);
    expect(code).toBe(0);
    expect(resultText(events, "o")).toContain(`200 ${home}\nShop`);
    expect(resultText(events, "r")).toMatch(/heading "Tea"[^]*textbox "Amount"[^]*button "Buy"/);
    expect(resultText(events, "c")).toContain("Bought 3");
    for (const line of ["log: ready to sell", "uncaught: too late", "log: not reached"])
      expect(resultText(events, "l")).toContain(`${line}\n`);
    expect(resultText(events, "n")).toMatch(/404 GET http:\/\/127\.0\.0\.1:\d+\/missing/);
    expect(resultText(events, "f")).toContain("begins with http:// or https://");
    expect(resultText(events, "e")).toContain("ERR_CONNECTION_REFUSED");
    expect(resultText(events, "x")).not.toContain("Example Domain");
    expect(other.asked, "a port of this machine that was not granted").toBe(0);
    expect(resultText(events, "p0")).toContain("There is no picture shop.png");
    expect(resultText(events, "p1")).toContain("is a name of letters");
    expect(decisionOf(events, "o")).toMatchObject({ verdict: "notify", risk: "L1" });
    expect(decisionOf(events, "c")).toMatchObject({ verdict: "notify", risk: "L1" });
    expect(those(events, "taint.raised")).toMatchObject([{ source: "mcp browser" }]);
    const sent = JSON.stringify(messagesOf(scene.server.requests.at(-1) as never));
    expect(sent, "the model sees the picture").toContain("data:image/png;base64,");
  },
);

test.skipIf(!sandboxHere || !browserHere)(
  "keeps a picture, and tells what differs from it (skipped without chromium-headless-shell)",
  async () => {
    const { port } = shop.address() as AddressInfo;
    const home = `http://127.0.0.1:${port}/`;
    await using scene = await makeScene(
      byResults(
        [
          use("open", { url: home }, "o"),
          use("keep", { picture: "shop" }, "k"),
          use("keep", { picture: "shop" }, "again"),
          use("compare", { picture: "shop" }, "same"),
          use("open", { url: `${home}red` }, "red"),
          use("open", { url: home }, "o2"),
          use("compare", { picture: "shop", allowed: 0.5 }, "other"),
          use("compare", { picture: "shop", allowed: 1 }, "allowed"),
          use("compare", { picture: "shop", target: "h1" }, "part"),
        ],
        "Done.",
      ),
      { git: true },
    );
    const pictures = scene.at("../pictures");
    mkdirSync(pictures);
    configure(
      scene,
      `[autonomy]\nlevel = 5\n\n[browser]\nenabled = true\nhosts = ["127.0.0.1:${port}"]\npictures = ${JSON.stringify(pictures)}\n`,
    );
    const { events } = await scene.tell(["go"]);
    expect(decisionOf(events, "k"), "it would ask at 2").toMatchObject({ risk: "L2" });
    expect(resultText(events, "k")).toContain("shop.png is kept, 1280 x 800.");
    expect(resultText(events, "again")).toContain("is there already");
    expect(resultText(events, "same")).toContain("The page looks as shop.png.");
    expect(resultText(events, "other")).toMatch(
      /\d+ of 1024000 pixels differ \(9\d\.\d+ %\) from shop\.png; they are red/,
    );
    expect(resultText(events, "allowed")).toContain("which is allowed");
    expect(resultText(events, "part")).toContain("shop.png is 1280 x 800, the page");
    expect(readdirSync(pictures)).toEqual(["shop.png"]);
  },
);
