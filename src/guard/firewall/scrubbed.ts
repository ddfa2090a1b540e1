import { sealer } from "../../base/seal.ts";
import type { ModelRequest } from "../../protocol/request.ts";

/** The firewall makes, providers open; nobody else. */
export const scrubbed = sealer<"Scrubbed", ModelRequest>();
