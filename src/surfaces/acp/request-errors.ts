// What went wrong, as the protocol says it: one code that a client can act on, and the sentence for the person.
import { RequestError } from "@agentclientprotocol/sdk";
import { machineFault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";

interface FaultLike {
  code: string;
  message: string;
  exit: number;
  remedy: string | undefined;
}

/** Faults may come from another realm of the bundle: told by their shape. */
export function faultOf(error: unknown): FaultLike | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name !== "Fault") return machineFault(error);
  const { code, exit, remedy } = error as Error & { code: unknown; exit: unknown; remedy: unknown };
  if (typeof exit !== "number") return undefined;
  return { code: String(code), message: error.message, exit, remedy: typeof remedy === "string" ? remedy : undefined };
}

export const sentenceOf = (error: unknown): string => {
  const fault = faultOf(error);
  if (fault) return fault.remedy === undefined ? fault.message : `${fault.message} ${fault.remedy}`;
  return error instanceof Error ? error.message : String(error);
};

const notFound = -32002;
const notAuthenticated = -32000;
const badParams = -32602;
const internal = -32603;

/** No model can be asked before the person has done something: what editors call a login. */
const needsLogin = new Set(["model.none", "model.no-key", "model.unnamed"]);

/** `session`: the one that was asked for, which the protocol wants in the error. */
export function requestError(error: unknown, session?: string): RequestError {
  if (error instanceof RequestError) return error;
  const fault = faultOf(error);
  const text = sentenceOf(error);
  if (!fault) return new RequestError(internal, text);
  const data = { code: fault.code, ...(session !== undefined && { sessionId: session }) };
  if (fault.code === "session.unknown") return new RequestError(notFound, text, data);
  if (needsLogin.has(fault.code)) return new RequestError(notAuthenticated, text, data);
  return new RequestError(fault.exit === Exit.usage ? badParams : internal, text, data);
}

export const badRequest = (text: string): RequestError => new RequestError(badParams, text);
