// Who may ask and answer is the person's own to say; a repository may only demand more answers.
import { expect, test } from "vitest";
import { writeTrust } from "../../../src/io/config/trust.ts";
import { identityKeyPair, identityNames, removeIdentity } from "../../../src/io/identities.ts";
import { world } from "./support.ts";
import { temporaryFolder } from "../../support/folders.ts";

const theirs = `[network]
hosts = ["docs.example"]
[sandbox]
enabled = false
[identities."local:eve"]
approver = "admin"
role = "admin"
[approval]
quorum = 1
four_eyes = false
timeout_secs = 10
`;

test("a repository names no identity, not even a trusted one, and lowers neither quorum nor four eyes", () => {
  const w = world();
  w.file("user", '[identities."local:bob"]\napprover = "senior"\n[approval]\nquorum = 2\nfour_eyes = true\n');
  w.file("project", theirs);
  const { settings, notices, trust } = w.load();
  expect(settings.identities).toEqual({ "local:bob": { approver: "senior" } });
  expect(settings.approval).toMatchObject({ quorum: 2, four_eyes: true, timeout_secs: 10 });
  expect(notices.filter((notice) => notice.includes("identities"))).toHaveLength(2);
  expect(trust.items.map(({ what }) => what)).toEqual(["network.hosts"]);
  const lowering = ["sandbox.enabled", "approval.quorum", "approval.four_eyes"];
  for (const key of lowering) expect(notices.join("\n")).toContain(`${key} is not applied: a repository's`);
  const { digest, items } = trust;
  writeTrust(w.options.places.state, w.options.workspace, { digest, items, at: 1, by: "local:ann" });
  const trusted = w.load();
  expect(trusted.trust.state).toBe("trusted");
  expect(trusted.settings.identities).toEqual({ "local:bob": { approver: "senior" } });
  expect(trusted.settings.network.hosts).toEqual(["docs.example"]);
  expect(trusted.settings.approval).toMatchObject({ quorum: 2, four_eyes: true });
  expect(trusted.settings.sandbox.enabled).toBe(true);
});

test("whatever its name, an identity is listed", () => {
  const state = temporaryFolder();
  const names = ["local:ann", "local:jane.2", "local:v.1.2", "token:a+b@c.7"];
  for (const name of names) identityKeyPair(state, name);
  expect(identityNames(state)).toEqual(names);
  for (const name of names) expect(removeIdentity(state, name)).toBe(true);
  expect(identityNames(state)).toEqual([]);
});

test("a repository may demand more", () => {
  const w = world();
  w.file("project", "[approval]\nquorum = 3\nfour_eyes = true\nlong_timeout_secs = 60\n");
  const { settings, notices } = w.load();
  expect(settings.approval).toMatchObject({ quorum: 3, four_eyes: true, long_timeout_secs: 60 });
  expect(notices).toEqual([]);
});
