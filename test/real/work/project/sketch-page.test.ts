// Drawn pages in a real browser: whatever a model has written into one, no server hears of it.
import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { closedPage } from "../../../../src/work/project/formats/sketch-page.ts";
import { temporaryFolder } from "../../../support/folders.ts";

const browser = "/usr/bin/chromium-headless-shell";
const flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--virtual-time-budget=4000"];

/** Each of them reaches a server when it stands in a page of its own. */
const tries = (at: string): Record<string, string> => ({
  picture: `<img src="${at}/picture">`,
  script: `<script src="${at}/script"></script>`,
  sheet: `<link rel="stylesheet" href="${at}/sheet">`,
  fetched: `<script>fetch("${at}/fetched", { mode: "no-cors" })</script>`,
  beacon: `<script>navigator.sendBeacon("${at}/beacon", "typed")</script>`,
  led: `<script>location.href = "${at}/led?typed"</script>`,
  top: `<script>top.location.href = "${at}/top?typed"</script>`,
  opened: `<script>document.body.innerHTML = "<a target=_blank href='${at}/opened'>x</a>"; document.links[0].click()</script>`,
  followed: `<a id="a" href="${at}/followed">x</a><script>a.click()</script>`,
  refreshed: `<meta http-equiv="refresh" content="0;url=${at}/refreshed">`,
  form: `<form method="post" action="${at}/form"><input name="card" value="4111"></form><script>document.forms[0].submit()</script>`,
  framed: `<iframe src="${at}/framed"></iframe>`,
  based: `<base href="${at}/"><img src="based">`,
  closing: `"></iframe><img src="${at}/closing">`,
  nested: `<iframe srcdoc="<img src='${at}/nested'>"></iframe>`,
});

test.skipIf(!existsSync(browser))(
  "no picture, script, form, link, frame or script's address reaches a server (skipped without chromium-headless-shell)",
  async () => {
    const heard: string[] = [];
    const server = createServer((request, response) => {
      heard.push(request.url ?? "");
      response.writeHead(200, { "content-type": "text/html" }).end("heard");
    });
    await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
    onTestFinished(() => void server.close());
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const folder = temporaryFolder();
    const seen = async (html: string): Promise<string> => {
      const file = path.join(folder, "page.html");
      writeFileSync(file, html);
      const profile = `--user-data-dir=${path.join(folder, "profile")}`;
      const { stdout } = await promisify(execFile)(browser, [...flags, profile, "--dump-dom", `file://${file}`]);
      return stdout;
    };
    const page = (part: string) => `<!DOCTYPE html><html><head></head><body><h1>Orders</h1>${part}</body></html>`;
    for (const part of Object.values(tries(at))) await seen(page(part));
    const bare = new Set(heard.map((url) => /\w+/.exec(url)?.[0]));
    // What headless Chromium does not follow by itself proves nothing here.
    expect(Object.keys(tries(at)).filter((name) => bare.has(name)).length).toBeGreaterThan(10);
    heard.length = 0;
    for (const part of Object.values(tries(at))) await seen(closedPage(page(part)));
    expect(heard).toEqual([]);
  },
  240_000,
);
