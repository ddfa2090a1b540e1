// What the Docker plugin is allowed in a session that has read text from outside.
import { expect, test } from "vitest";
import { assess } from "../../../src/guard/assess/assess.ts";
import { decide } from "../../../src/guard/decide.ts";
import { dockerServers } from "../../../src/io/config/built-in-docker.ts";
import type { Settings } from "../../../src/io/config/settings.ts";
import { context } from "../../guard/assessments.ts";
import { plainWorld } from "../../guard/assess/facts.ts";
import { temporaryFolder } from "../../support/folders.ts";

test("what an image's recipe runs has the network: a tainted session is asked about a build, and not about a look", () => {
  const docker = { enabled: true, build: true, host: "localhost:2375" };
  const here = { workspace: temporaryFolder(), env: {}, notices: [] };
  const servers = new Map(dockerServers({ docker } as Settings, here as never).map((each) => [each.name, each]));
  const verdict = (name: string, what: string, tainted: boolean) => {
    const server = servers.get(name);
    const tool = () => ({ digest: "d", hints: {}, class: server?.classes.get(what) });
    const own = server?.builtIn?.ownHosts && { ownHosts: true };
    const facts = { ...server, origin: "user", startedBefore: true, builtIn: "foreign", tool, ...own };
    const action = { kind: "mcp", op: "call", server: name, what, input: {} } as const;
    const found = assess(action as never, { ...plainWorld, mcp: () => facts as never });
    return decide(found, { ...context({ autonomy: 5, sandboxed: true }), tainted } as never);
  };
  expect(verdict("docker-build", "build", true)).toMatchObject({ verdict: "ask", rule: "taint" });
  expect(verdict("docker", "containers", true)).toMatchObject({ verdict: "allow" });
});
