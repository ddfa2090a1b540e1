// What goes from one program to another as data of the protocol, without the secrets in its texts.
import type { Json } from "../../protocol/message.ts";
import type { Firewall } from "./firewall.ts";

/** Bytes in letters are left as they are: a change would be no image any more. */
const bytes: ReadonlySet<string> = new Set(["data", "blob"]);

export function withoutSecrets(value: Json, firewall: Pick<Firewall, "redact">): Json {
  if (typeof value === "string") return firewall.redact(value, "ordinary").text;
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, firewall));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      bytes.has(name) && typeof each === "string" ? each : withoutSecrets(each, firewall),
    ]),
  );
}
