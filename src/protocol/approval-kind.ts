import { z } from "zod";

/** What is approved decides how long the question stays open: minutes for a tool's call, a day for a plan or a merge. */
export const ApprovalKind = z.enum(["tool", "plan", "merge"]);
export type ApprovalKind = z.infer<typeof ApprovalKind>;
