// Who makes a grant, and who can tell a real one. The rules of the house let only guard/fence/fence.ts call `sealGrant`.
import { type Grant, GrantError } from "./grant.ts";

/** A grant without its seal. */
export type GrantParts = { [Name in keyof Grant as Name extends string ? Name : never]: Grant[Name] };

const made = new WeakSet<object>();

export function sealGrant(parts: GrantParts): Grant {
  const grant = Object.freeze({ ...parts }) as Grant;
  made.add(grant);
  return grant;
}

/** Throws a GrantError for anything that the fence has not made, whatever the compiler was told. */
export function requireGrant(grant: Grant): Grant {
  if (!made.has(grant)) throw new GrantError("This grant was not made by the fence, so the tool does nothing with it.");
  return grant;
}
