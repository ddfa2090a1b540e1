// The issue that a person names by its address: fetched by the gate, for the person, before there is a task.
import { jsonOf } from "../../base/json-text.ts";
import { Fault } from "../../base/fault.ts";
import type { Grant } from "../../guard/contract/grant.ts";
import { ForgeFailure } from "../../io/forge/spec.ts";
import { NetFailure } from "../../io/net/failure.ts";
import type { Action } from "../../protocol/action.ts";
import { Exit } from "../../protocol/exit.ts";
import { failure, textResult } from "../../protocol/outcome.ts";
import { textOf } from "../../work/task/world/commands.ts";
import { askIssue, issueAddress, issueText } from "../../work/task/merge/issue.ts";
import type { Assembly } from "../agents/assembly.ts";
import type { Program } from "../program/program.ts";

/** Rejects with a Fault that says in a sentence why there is none. */
export async function fetchIssue(program: Program, assembly: Assembly, url: string): Promise<string> {
  const address = issueAddress(url, program.config().settings.forge.github_api);
  return address
    ? passed(
        assembly,
        { kind: "forge", op: "read", url: address.url, what: `the issue ${address.number}` },
        url,
        async (grant) => askIssue(await grant.forge(), address.number),
      )
    : passed(assembly, { kind: "fetch", url, method: "GET" }, url, async (grant) => {
        const { status, text, truncated } = await grant.fetch();
        if (status !== 200) throw new ForgeFailure(`It answers with status ${status}.`);
        if (truncated) throw new ForgeFailure("It is longer than can be fetched (network.fetch_max_kb).");
        return issueText(jsonOf(text));
      });
}

async function passed(
  assembly: Assembly,
  action: Action,
  url: string,
  read: (grant: Grant) => Promise<string>,
): Promise<string> {
  let text: string | undefined;
  const gate = await assembly.gate();
  const result = await gate.pass(
    { id: "issue", tool: "task", action, origin: "person" },
    async (grant) => {
      try {
        text = await read(grant);
        return textResult("Read.");
      } catch (error) {
        if (error instanceof ForgeFailure || error instanceof NetFailure) return failure("task.issue", error.message);
        throw error;
      }
    },
    new AbortController().signal,
  );
  if (text !== undefined) return assembly.firewall.redact(text).text;
  throw new Fault(
    "task.issue",
    Exit.failed,
    `${url} cannot be read as an issue: ${textOf(result)}`,
    "Correct the address, log in (fettle login github), or say in words what is to be done.",
  );
}
