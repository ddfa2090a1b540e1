// `fettle logout`: removes a provider's key.
import { Exit } from "../../../protocol/exit.ts";
import type { Context } from "../host/context.ts";
import { phrases } from "../../phrases/phrases.ts";
import type { Define } from "../host/grammar.ts";

export const words = phrases("logout", {
  lesson: {
    examples: [["fettle logout anthropic", "the key is removed; one in the environment stays in force"]],
    exits: [
      ["0", "removed"],
      ["2", "no such provider, or no key of it is stored"],
    ],
  },
  logoutDone: (provider: string) => `The key for ${provider} is removed.`,
});

export const define: Define = (command, start) =>
  start(command, (context, [provider = ""]) => logout(context, provider), { lesson: words.lesson });

const logout = (context: Context, provider: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    await client.send({ type: "login.remove", provider });
    context.out.line(words.logoutDone(provider));
    return Exit.done;
  });
