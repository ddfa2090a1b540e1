// One browser with the tab that is looked at. It reaches what the sandbox lets it reach: hosts of this machine that were
// granted are there as they are, all others lie behind fettle's proxy.
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { BrowserContext, ConsoleMessage, Page, Request } from "playwright-core";
import { PluginProblem } from "../serving/spec.ts";
import type { BrowserOptions } from "./spec.ts";

export interface Tab {
  /** The one that was opened last. */
  page(): Page;
  console: readonly string[];
  network: readonly string[];
  /** A moment in which a click may open something. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const size = { width: 1280, height: 800 };
const waitMs = { start: 30_000, page: 30_000, act: 10_000, settle: 1_500 };
const mostKept = 500;

/** fettle's sandbox is around it, and Chromium's own cannot be made inside of that. */
const flags = [
  ...["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync", "--disable-default-apps", "--no-pings", "--disable-quic"],
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/** Rejects with a PluginProblem where there is no browser that starts. */
export async function openTab({ program }: BrowserOptions, env: NodeJS.ProcessEnv): Promise<Tab> {
  const context = await started(program, env);
  const state = { page: context.pages()[0] ?? (await context.newPage()) };
  const messages: string[] = [];
  const requests: string[] = [];
  const keep = (list: string[], line: string) => {
    list.push(line.replace(/\s+/g, " ").slice(0, 400));
    if (list.length > mostKept) list.shift();
  };
  const watch = (page: Page) => {
    page.setDefaultTimeout(waitMs.act);
    page.setDefaultNavigationTimeout(waitMs.page);
    page.on("console", (message: ConsoleMessage) => keep(messages, `${message.type()}: ${message.text()}`));
    page.on("pageerror", (error: Error) => keep(messages, `uncaught: ${error.message}`));
    page.on("close", () => {
      state.page = context.pages().at(-1) ?? state.page;
    });
  };
  watch(state.page);
  context.on("page", (page) => {
    watch(page);
    state.page = page;
  });
  context.on("requestfinished", (request: Request) => {
    void request.response().then(
      (response) => keep(requests, `${response?.status() ?? "-"} ${request.method()} ${request.url()}`),
      () => undefined,
    );
  });
  context.on("requestfailed", (request: Request) =>
    keep(requests, `failed ${request.method()} ${request.url()} ${request.failure()?.errorText ?? ""}`),
  );
  return {
    page: () => state.page,
    console: messages,
    network: requests,
    settled: () => state.page.waitForLoadState("networkidle", { timeout: waitMs.settle }).catch(() => undefined),
    close: () => context.close(),
  };
}

async function started(program: string, env: NodeJS.ProcessEnv): Promise<BrowserContext> {
  const { chromium } = await import("playwright-core").catch(() => {
    throw new PluginProblem("The package playwright-core is not installed beside fettle, so there is no browser.");
  });
  const proxy = env["HTTPS_PROXY"];
  const home = env["HOME"] ?? "/tmp";
  // The library makes its folders where its own process would, not where the browser's environment says.
  const temporary = path.join(home, "tmp");
  mkdirSync(temporary, { recursive: true });
  process.env["TMPDIR"] = temporary;
  try {
    return await chromium.launchPersistentContext(path.join(home, "profile"), {
      executablePath: program,
      headless: true,
      timeout: waitMs.start,
      args: flags,
      acceptDownloads: false,
      viewport: size,
      ...(proxy !== undefined && { proxy: { server: proxy, bypass: "localhost,127.0.0.1,[::1]" } }),
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const [first = "", ...log] = said.split("\n");
    const own = log.filter((line) => line.includes("[err]")).slice(0, 5);
    throw new PluginProblem(`The browser does not start: ${[first, ...own].join("\n").slice(0, 1_500)}`);
  }
}
