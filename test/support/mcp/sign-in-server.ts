// An authorization server for scenes, on this machine: registers clients, hands out codes for PKCE, renews tokens.
import { createHash, randomUUID } from "node:crypto";
import type http from "node:http";
import { z } from "zod";

export interface SignInServer {
  /** True: it has answered. */
  answer(incoming: http.IncomingMessage, outgoing: http.ServerResponse, body: string): boolean;
  /** Whether a request brings a token that is good now; what a token was good for is used up. */
  admits(headers: http.IncomingHttpHeaders): boolean;
  /** Requests that wanted a token, by their kind of grant. */
  granted: string[];
}

export interface SignInRules {
  /** Where its own description says that people sign in, in place of its own address. */
  authorizeAt?: string;
  /** Requests that a token admits before it is over. */
  uses?: number;
}

const parameters = z.record(z.string(), z.string());

/** `base`: its own address, without a path. */
export function signInServer(base: () => string, { authorizeAt, uses = 1_000 }: SignInRules = {}): SignInServer {
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const tokens = new Map<string, number>();
  const renewing = new Set<string>();
  const granted: string[] = [];
  const issue = () => {
    const [access, refresh] = [randomUUID(), randomUUID()];
    tokens.set(access, uses);
    renewing.add(refresh);
    return { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: 3600 };
  };
  const token = (form: { [key: string]: string }): object | undefined => {
    granted.push(form["grant_type"] ?? "");
    if (form["grant_type"] === "refresh_token")
      return renewing.delete(form["refresh_token"] ?? "") ? issue() : undefined;
    const code = codes.get(form["code"] ?? "");
    const proof = createHash("sha256")
      .update(form["code_verifier"] ?? "")
      .digest("base64url");
    codes.delete(form["code"] ?? "");
    return code && code.challenge === proof && code.redirect === form["redirect_uri"] ? issue() : undefined;
  };
  const said = (path: string, form: { [key: string]: string }, body: string): object | undefined => {
    if (path.startsWith("/.well-known/oauth-protected-resource"))
      return { resource: `${base()}/mcp`, authorization_servers: [base()] };
    if (path.startsWith("/.well-known/oauth-authorization-server"))
      return {
        ...{
          issuer: base(),
          authorization_endpoint: authorizeAt ?? `${base()}/authorize`,
          token_endpoint: `${base()}/token`,
        },
        ...{ registration_endpoint: `${base()}/register`, response_types_supported: ["code"] },
        ...{ code_challenge_methods_supported: ["S256"], token_endpoint_auth_methods_supported: ["none"] },
      };
    if (path === "/register") return { ...(JSON.parse(body) as object), client_id: "fettle-here" };
    return path === "/token" ? token(form) : undefined;
  };
  return {
    granted,
    admits({ authorization = "" }) {
      const given = authorization.replace(/^Bearer /, "");
      const left = tokens.get(given) ?? 0;
      tokens.set(given, left - 1);
      return left > 0;
    },
    answer(incoming, outgoing, body) {
      const { pathname: path, searchParams: query } = new URL(incoming.url ?? "/", base());
      if (path === "/mcp") return false;
      if (path === "/authorize") {
        const wish = parameters.parse(Object.fromEntries(query));
        const code = randomUUID();
        const redirect = wish["redirect_uri"] ?? "";
        codes.set(code, { challenge: wish["code_challenge"] ?? "", redirect });
        outgoing.writeHead(302, { location: `${redirect}?code=${code}&state=${wish["state"] ?? ""}` }).end();
        return true;
      }
      const reply = said(path, Object.fromEntries(new URLSearchParams(body)), body);
      const missing = path === "/token" ? 400 : 404;
      outgoing.writeHead(reply ? (path === "/register" ? 201 : 200) : missing, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(reply ?? { error: "invalid_grant" }));
      return true;
    },
  };
}
