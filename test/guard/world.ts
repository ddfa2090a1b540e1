// A real workspace with the real fence around it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createFence, type FenceWorld } from "../../src/guard/fence/fence.ts";
import { createFirewall } from "../../src/guard/firewall/firewall.ts";
import { createFacts } from "../../src/io/facts.ts";
import { grantedEnvironment } from "../../src/io/process/environment.ts";
import { Jobs } from "../../src/io/process/jobs.ts";
import { detectSandbox } from "../../src/io/sandbox/sandbox.ts";
import type { Action } from "../../src/protocol/action.ts";
import type { Assessment } from "../../src/protocol/effect.ts";

export const githubToken = `ghp_${"k7Qx9ZbT2mVw4RcY8pLs6NdF3hJg5KtB1vXq"}`;

export interface TestWorld extends ReturnType<typeof openWorld> {}

export function openWorld(more: Partial<FenceWorld> & { sandboxEnabled?: boolean } = {}) {
  const { sandboxEnabled = true, ...parts } = more;
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "fettle-guard-")));
  const folder = (name: string) => {
    mkdirSync(path.join(root, name), { recursive: true });
    return path.join(root, name);
  };
  const [workspace, temporary, spills, own, home] = ["w", "tmp", "spills", "own", "home"].map(folder) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const firewall = createFirewall(Buffer.alloc(32, 1));
  const jobs = new Jobs();
  const sandbox = detectSandbox({ enabled: sandboxEnabled, cacheFolder: folder("cache") });
  const facts = createFacts({ workspace, home, temporary, own: [own], env: {}, extraFolders: [] });
  const fence = createFence({
    workspace,
    temporary,
    own: [own],
    sandbox,
    jobs,
    spills,
    firewall,
    env: grantedEnvironment(process.env, { temporary, home }),
    limits: {
      commandMs: (_command, wanted) => Math.min(wanted ?? 10_000, 10_000),
      head: 1000,
      tail: 1000,
      spillBytes: 1_000_000,
    },
    masked: () => [{ path: path.join(workspace, ".env") }],
    fetch: async (url) => ({ url, status: 200, contentType: "text/plain", text: "from the web", truncated: false }),
    ...parts,
  });
  return {
    root,
    workspace,
    temporary,
    own,
    home,
    facts,
    firewall,
    fence,
    jobs,
    sandbox,
    at: (name: string) => path.join(workspace, name),
    put(name: string, content: string | Uint8Array) {
      mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
      writeFileSync(path.join(workspace, name), content);
    },
    get: (name: string) => readFileSync(path.join(workspace, name), "utf8"),
    grant(action: Action, assessment: Assessment, signal: AbortSignal = new AbortController().signal) {
      return fence.grant({ call: { id: "c", tool: "t", action, origin: "model" }, assessment }, signal, facts);
    },
    async close() {
      await jobs.closeAll();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
