// Secrets in shapes that were missed once, each with surroundings of many kinds; put together here, so that no scanner takes them for real.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFirewall } from "../../src/guard/firewall/firewall.ts";
import { KnownSecrets } from "../../src/guard/firewall/known.ts";
import { type Reading, scan } from "../../src/guard/firewall/scan.ts";
import { random } from "./secret-examples.ts";

const password = ["h7Tz", "!k2Qx9"].join("");
const letters = ["correct", "horse"].join("");
const hex = "9f86d081884c7d659a2feaa0c55ad015";
const sk = (body: string) => ["sk", body].join("-");

const missed = (text: string, secret: string, reading: Reading = "ordinary"): boolean =>
  !scan(text, reading).some(({ from, to }) => text.slice(from, to).includes(secret));

const shapes: readonly (readonly [text: string, secret: string])[] = [
  [`postgres://user:${password}@host/db`, password],
  [`postgres://svc:${encodeURIComponent(password)}%40@host/db`, encodeURIComponent(password)],
  [`origin\thttps://deploy:${letters}@git.internal/x.git (fetch)`, letters],
  [encodeURIComponent(`https://bob:${random}@git.acme.io/x`), random],
  [`val token: String? = "${random}"`, random],
  [`let api_key: Option<&str> = Some("${random}")`, random],
  [`static readonly API_KEY: string | null = '${random}'`, random],
  [`private readonly dbPassword: Secret<string> = '${password}'`, password],
  [`api_key: Annotated[str, x] = "${random}"`, random],
  [`TOKEN ::= "${random}"`, random],
  [`secret ::= ${random}`, random],
  [`$password .= "${password}"`, password],
  [`apiKey += "${random}"`, random],
  [`password - ${password}`, password],
  [`api-key – ${random}`, random],
  [`<password>\n  ${password}\n</password>`, password],
  [`<apiKey>\r\n\t${random}\r\n</apiKey>`, random],
  [sk(`${random}${random.slice(0, 12)}`), random],
  [sk(hex), hex],
  [`bitbucket.client-secret = ${random.slice(0, 32)}`, random.slice(0, 32)],
  [`eu01xx${hex}`, hex],
  [`NRBR-${hex.slice(0, 19)}`, hex.slice(0, 19)],
  [`https://acme.tines.com/webhook/${hex}/${hex}`, hex],
  [`Authorization: NTLM TlRMTVNTUAADAAAAGAAYAEgAAAAYABgA${random}`, random],
  [`curl -ubob:${password} https://api.acme.io`, password],
  [`curl -sSu 'bob:${password}' https://api.acme.io`, password],
  [`curl -X POST --user=bob:${letters} https://api.acme.io`, letters],
  [`password = "!Zk29xQ7"`, "!Zk29xQ7"],
  [`db_password: !Zk29xQ7mm`, "!Zk29xQ7mm"],
];

test("passwords in addresses, declarations with types, odd signs, elements, headers and logins are found", () => {
  const lines = fc.constantFrom("", "const x = 1;\n", "# a comment\n\n", "{\n  ");
  fc.assert(
    fc.property(
      fc.constantFrom(...shapes),
      lines,
      fc.constantFrom("", "\n", "\nnext = 2\n"),
      (shape, before, after) => {
        const [text, secret] = shape;
        expect(missed(before + text + after, secret), text).toBe(false);
      },
    ),
    { numRuns: 600 },
  );
});

test.each([
  "postgres://user:password@host/db",
  "https://user:pass1234@example.com/",
  "curl -u username:password https://api.example.com",
  "curl -u $USER:$TOKEN https://api.acme.io",
  "see https://acme.io:8443/@scope/x and git@github.com:a/b.git",
  "token - authentication of the service",
  "password - the user's own word",
  "left = pass - startIndex0;",
  "key: keyof typeof map = 'someOtherName'",
  "password: !Ref DbPassword1",
  "const denied = password && !hasPasswordValue2;",
  "<password>\n  <input type='text'/>\n</password>",
  "sk-learn-contributions-and-other-long-names-of-packages",
  ".sk-folding-cube { animation: sk-foldCubeAngle 2.4s infinite linear both }",
  "Authorization: NTLM <credentials>",
  "the token ::= identifier | number",
  "https://bitbucket.org/workspace/repository/src/main/README.md",
])("stays: %s", (text) => expect(scan(text)).toEqual([]));

const line = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9+/=_ -]{4,30}[A-Za-z0-9]$/);
const ways: readonly (readonly [string, (lines: string[]) => string])[] = [
  ["double quotes", (lines) => `"${lines.join("\n")}"`],
  ["single quotes", (lines) => `'${lines.join("\n")}' # why`],
  ["backticks", (lines) => `\`${lines.join("\n")}\``],
  ["three quotes", (lines) => `"""\n${lines.join("\n")}\n"""`],
  ["a word", (lines) => `<<EOF\n${lines.join("\n")}\nEOF`],
  ["armour", (lines) => `-----BEGIN X PRIVATE KEY-----\n${lines.join("\n")}\n-----END X PRIVATE KEY-----`],
  ["backslashes", (lines) => lines.join("\\\n")],
];

test("property: every line of every value of an environment file is found, and what follows is read as before", () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom(...ways), (lines, [, put]) => {
      const text = `FIRST=one-more\nKEY=${put(lines)}\nLAST=other-value\n`;
      const redacted = createFirewall(Buffer.alloc(32, 5)).redact(text, "environment").text;
      for (const each of ["one-more", "other-value", ...lines]) expect(redacted.includes(each)).toBe(false);
      expect(redacted).toContain("LAST=«secret:");
    }),
  );
});

test("a line of such a value is known again by itself", () => {
  const known = new KnownSecrets();
  known.learn(`SIGNING_SECRET="${random}\nviolet-umbrella-thirteen"\n`, "environment");
  expect(known.in("it is violet-umbrella-thirteen")).toHaveLength(1);
});
