// Who asks and who answers. A surface gives identities; configuration says what each may do.
import { z } from "zod";
import { ApproverRole, Role } from "./decision.ts";

export const IdentitySurface = z.enum(["local", "token", "channel"]);
export type IdentitySurface = z.infer<typeof IdentitySurface>;

/** `name` says its surface and its account there: `local:ada`, `token:ci`, `telegram:42`. */
export const Identity = z.object({
  name: z.string(),
  surface: IdentitySurface,
  /** As a caller: what it may have done. */
  role: Role,
  /** As an answerer: what it may approve. */
  approver: ApproverRole,
});
export type Identity = z.infer<typeof Identity>;
