/** Why a connection gave no answer. `stalled`: nothing came for too long. */
type NetFailureKind = "unreachable" | "reset" | "stalled" | "tls" | "invalid" | "forbidden" | "too-large";

export class NetFailure extends Error {
  override readonly name = "NetFailure";
  readonly kind: NetFailureKind;
  /** Unreachable in a way that a few seconds hardly change: no server listens, no such name. */
  readonly lasting: boolean;

  constructor(kind: NetFailureKind, message: string, cause?: unknown, lasting = false) {
    super(message, { cause });
    this.kind = kind;
    this.lasting = lasting;
  }
}

const unreachable = new Map([
  ["ECONNREFUSED", "nothing listens there"],
  ["ENOTFOUND", "its name is not known"],
  ["EAI_AGAIN", "its name could not be looked up"],
  ["ENETUNREACH", "the network cannot be reached"],
  ["EHOSTUNREACH", "the host cannot be reached"],
  ["EADDRNOTAVAIL", "the address is not available"],
  ["EACCES", "the connection is not permitted"],
  ["ENOENT", "nothing listens there"],
]);

/** Node's error of a socket, a lookup, TLS or a decoder as one sentence that names the host. */
export function netFailure(error: unknown, host: string): NetFailure {
  if (error instanceof NetFailure) return error;
  const code = codeOf(error);
  const reason = unreachable.get(code);
  if (reason) {
    const lasting = code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "ENOENT";
    return new NetFailure("unreachable", `Cannot connect to ${host}: ${reason} (${code}).`, error, lasting);
  }
  if (code === "ETIMEDOUT")
    return new NetFailure("unreachable", `Cannot connect to ${host}: no answer in time.`, error);
  if (/^(ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_)/.test(code)) {
    return new NetFailure("tls", `No secure connection to ${host}: ${messageOf(error)} (${code}).`, error);
  }
  if (code.startsWith("HPE_")) return new NetFailure("invalid", `${host} does not answer in HTTP (${code}).`, error);
  if (code.startsWith("ERR_INVALID_") || code === "ERR_UNESCAPED_CHARACTERS") {
    return new NetFailure("invalid", `The request to ${host} cannot be sent: ${messageOf(error)}`, error);
  }
  return new NetFailure("reset", `The connection to ${host} broke off${code ? ` (${code})` : ""}.`, error);
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
