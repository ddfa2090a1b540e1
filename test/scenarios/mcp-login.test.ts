// Signing in to MCP servers by OAuth, against an authorization server on this machine.
import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { startHttpStandIn } from "../support/mcp/http-stand-in.ts";
import { byResults, call, makeScene, resultText, type Scene } from "./scene.ts";

const script = byResults(
  call("find_tools", { server: "web" }, "f"),
  call("mcp", { tool: "web__greet", arguments: { name: "Ada" } }, "c"),
  "Done.",
);

/** Opens what the program shows, as a browser does. */
async function signIn(scene: Scene, forged: boolean) {
  const login = await scene.start(["mcp", "login", "web", "--plain-file"]);
  await login.shows(/authorize\?\S+\n/);
  const address = new URL(/http:\S+authorize\?\S+/.exec(login.stderr())?.[0] ?? "");
  if (forged) {
    const callback = address.searchParams.get("redirect_uri") ?? "";
    const reply = await fetch(`${callback}?code=another&state=guessed`);
    expect([reply.status, await reply.text()]).toEqual([400, "This is not what fettle waits for.\n"]);
  }
  expect(await (await fetch(address)).text()).toBe("You can close this page.\n");
  return { address, ended: await login.exited };
}

test("who signs in is known at the server from then on: by PKCE, with tokens that are renewed and can be forgotten", async () => {
  await using web = await startHttpStandIn({ signIn: { uses: 3 } });
  await using scene = await makeScene(script);
  const { port } = new URL(web.url);
  expect((await scene.run(["mcp", "add", "web", web.url, "--untested", "--tools", "reversible"])).code).toBe(0);
  const before = await scene.tell(["go"]);
  expect(resultText(before.events, "f")).toContain(`127.0.0.1:${port} wants you to sign in: fettle mcp login web`);
  const { address, ended } = await signIn(scene, true);
  expect([ended.code, ended.stdout]).toEqual([0, `You are signed in to web at 127.0.0.1:${port}.\n`]);
  expect(address.searchParams.get("code_challenge_method")).toBe("S256");
  const kept = scene.at("../.config/fettle/credentials.json");
  expect([statSync(kept).mode & 0o777, readFileSync(kept, "utf8")]).toEqual([
    0o600,
    expect.stringContaining("mcp:web"),
  ]);
  const after = await scene.tell(["go"]);
  expect(resultText(after.events, "c")).toContain("Hello Ada");
  const [first, ...later] = web.signIn.granted;
  expect([first, new Set(later)]).toEqual(["authorization_code", new Set(["refresh_token"])]);
  expect((await scene.run(["mcp", "logout", "web"])).stdout).toBe("Nobody is signed in to web any more.\n");
  expect(readFileSync(kept, "utf8")).not.toContain("mcp:web");
  expect(resultText((await scene.tell(["go"])).events, "c")).toContain("wants you to sign in");
});

test.each([
  "http://accounts.example.com/authorize",
  "https://127.0.0.2.nip.io@10.0.0.1/authorize",
  "file:///etc/passwd",
])("a server that sends people to %s to sign in is refused before anything is shown", async (authorizeAt) => {
  await using web = await startHttpStandIn({ signIn: { authorizeAt } });
  await using scene = await makeScene(script);
  await scene.run(["mcp", "add", "web", web.url, "--untested"]);
  const { code, stdout, stderr } = await scene.run(["mcp", "login", "web", "--plain-file"]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^fettle: Signing in to the MCP server web failed: [^\n]*/);
  expect(stderr).not.toContain("open this address");
});

test("who gets what the browser brings back is told where it is not who signs people in", async () => {
  await using web = await startHttpStandIn({ signIn: { authorizeAt: "https://accounts.example.com/authorize" } });
  await using scene = await makeScene(script);
  await scene.run(["mcp", "add", "web", web.url, "--untested"]);
  const login = await scene.start(["mcp", "login", "web", "--plain-file"]);
  await login.shows(/authorize\?\S+\n/);
  expect(login.stderr()).toMatch(
    new RegExp(`What accounts\\.example\\.com answers goes to ${new URL(web.url).host}, [^\n]*\nTo sign in`),
  );
  login.signal("SIGTERM");
  await login.exited;
});
