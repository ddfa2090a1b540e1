// Forms in which pipelines, scripts, configurations and vendors carry a secret, with values that are drawn: found whole, or left alone.
import fc from "fast-check";
import { expect, test } from "vitest";
import { scan } from "../../src/guard/firewall/scan.ts";

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const lower = "abcdefghijklmnopqrstuvwxyz";
const drawn = (alphabet: string, least: number, most = least) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: least, maxLength: most });
const token = (length: number) =>
  drawn(`${upper}${lower}0123456789`, length).filter(
    (text) => new Set(text).size >= 12 && [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(text)),
  );
const hex = (length: number) =>
  drawn("0123456789abcdef", length).filter((text) => new Set(text).size >= 8 && /\d/.test(text) && /[a-f]/.test(text));
const letters = drawn(lower, 8, 14).filter((text) => new Set(text).size >= 5);
const password = fc
  .tuple(drawn(`${upper}${lower}0123456789`, 8, 16), fc.constantFrom("!", "#", "%"))
  .map(([text, mark]) => text.slice(0, 4) + mark + text.slice(4));
const exclaimed = drawn(`${upper}${lower}0123456789`, 7, 15)
  .filter((text) => /\d/.test(text) && /[a-z]/i.test(text) && new Set(text.toLowerCase()).size >= 5)
  .map((text) => `!${text}`);
const names = fc.constantFrom(
  ...["api_key", "apiKey", "client_secret", "AUTH_TOKEN", "accessToken", "db_password", "SECRET_KEY"],
);

type Form = readonly [what: string, values: fc.Arbitrary<string>, form: (name: string, value: string) => string];

const given = ([what, form]: readonly [string, Form[2]]): Form => [what, token(32), form];
const pipelines: readonly Form[] = [
  ["a name, a hyphen, a value", (name: string, value: string) => `${name}-${value}`] as const,
  ["a name, a hyphen between blanks, a value", (name: string, value: string) => `${name} - ${value}`] as const,
  ["set-env", (name: string, value: string) => `echo "::set-env name=${name}::${value}"`] as const,
  ["set-output", (name: string, value: string) => `::set-output name=${name}::${value}`] as const,
  ["save-state", (name: string, value: string) => `::save-state name=${name}::${value}`] as const,
  ["add-mask", (_name: string, value: string) => `echo "::add-mask::${value}"`] as const,
  [
    "a variable of Azure's",
    (name: string, value: string) => `##vso[task.setvariable variable=${name};issecret=true]${value}`,
  ] as const,
  [
    "a parameter of TeamCity's",
    (name: string, value: string) => `##teamcity[setParameter name='env.${name}' value='${value}']`,
  ] as const,
  ["an environment file", (name: string, value: string) => `echo "${name}=${value}" >> $GITHUB_ENV`] as const,
  ["a here-document", (name: string, value: string) => `${name}<<EOF\n${value}\nEOF\n`] as const,
  ["::=", (name: string, value: string) => `${name}::=${value}`] as const,
  [".=", (name: string, value: string) => `$${name} .= '${value}';`] as const,
  ["??=", (name: string, value: string) => `${name} ??= "${value}";`] as const,
  ["an element", (name: string, value: string) => `<${name}>\n      ${value}\n   </${name}>`] as const,
  [
    "an element with attributes",
    (name: string, value: string) => `<${name} type="string">\n${value}\n</${name}>`,
  ] as const,
  ["a property list", (name: string, value: string) => `<key>${name}</key>\n<string>\n  ${value}\n</string>`] as const,
].map(given);

const vendors: readonly Form[] = [
  ["a legacy sk- key", token(48), (_name, value) => `used: sk-${value}`],
  [
    "a legacy sk- key with its mark",
    fc.tuple(token(20), token(20)).map((halves) => halves.join("T3BlbkFJ")),
    (_name, value) => `sk-${value}`,
  ],
  ["a hex sk- key", fc.oneof(hex(32), hex(48), hex(64)), (_name, value) => `sk-${value}`],
  ["a password of Bitbucket", token(32), (_name, value) => `git clone with ATBB${value}`],
  ["a token of Bitbucket", token(150), (_name, value) => `ATCTT3xFfG${value}=1A2B3C4D`],
  [
    "a key of New Relic",
    drawn(`${upper}0123456789`, 27).filter((text) => new Set(text).size >= 10 && /\d/.test(text)),
    (_name, value) => `NRAK-${value}`,
  ],
  ["a licence of New Relic", hex(36), (_name, value) => `${value}NRAL`],
  ["a European licence of New Relic", hex(30), (_name, value) => `eu01xx${value}NRAL`],
  ["a browser key of New Relic", hex(19), (_name, value) => `NRJS-${value}`],
  [
    "a hook of Tines",
    fc.tuple(hex(32), hex(32)).map((halves) => halves.join("/")),
    (_name, value) => `https://quiet-fox-1.tines.com/webhook/${value}`,
  ],
  ["NTLM", token(60).map((text) => `TlRMTVNTUAAD${text}`), (_name, value) => `Authorization: NTLM ${value}`],
];

const logins: readonly Form[] = [
  ["curl -u", password, (_name, value) => `curl -u bob:${value} https://api.internal/x`],
  ["curl -u, attached", password, (_name, value) => `curl -ubob:${value} https://api.internal/x`],
  ["curl -u, attached and quoted", password, (_name, value) => `curl -s -u'bob:${value}' https://api.internal/x`],
  ["curl with options in one", password, (_name, value) => `curl -sSu bob:${value} https://api.internal/x`],
  ["curl -u, letters only", letters, (_name, value) => `curl -u bob:${value} https://api.internal/x`],
  ["curl -u, attached letters", letters, (_name, value) => `curl -ubob:${value} https://api.internal/x`],
  ["curl --user, letters", letters, (_name, value) => `curl -X POST --user bob:${value} https://api.internal/x`],
  ["curl for a proxy", password, (_name, value) => `curl -U bob:${value} -x proxy:3128 https://api.internal/x`],
  ["wget", letters, (_name, value) => `wget --user=bob --password=${value} https://api.internal/x`],
  ["! in an environment file", exclaimed, (_name, value) => `DB_PASSWORD=${value}`],
  ["! in quotes", exclaimed, (_name, value) => `password = "${value}"`],
  ["! in YAML", exclaimed, (_name, value) => `password: ${value}`],
  ["! in JSON", exclaimed, (_name, value) => `{"password": "${value}"}`],
  ["! in a connection string", exclaimed, (_name, value) => `Server=db;User Id=sa;Password=${value};Database=x`],
  ["! in an address", exclaimed, (_name, value) => `postgres://app:${value}@db.internal/app`],
];

const holds = (text: string, value: string): boolean => {
  const at = text.indexOf(value);
  return scan(text).some(({ from, to }) => from <= at && to >= at + value.length);
};

test.each([...pipelines, ...vendors, ...logins])("a secret is found whole in %s", (_what, values, form) => {
  const samples = fc.sample(fc.tuple(names, values), { numRuns: 60, seed: 20_261_123 });
  const missed = samples.filter(([name, value]) => !holds(form(name, value), value));
  expect(missed.length / samples.length, JSON.stringify(missed[0])).toBeLessThanOrEqual(0.05);
});

test.each(pipelines)("what is no secret stays in %s", (_what, _values, form) => {
  const values = ["changeme", "your-api-key-here", "process.env.TOKEN", "default_value_of_it", "production", "12345"];
  for (const name of ["api_key", "AUTH_TOKEN", "db_password"])
    for (const value of values) expect(scan(form(name, value)), form(name, value)).toEqual([]);
});

test.each([
  "::set-output name=version::7Q2kX9ZbTmVw4RcY8pLs6NdF3hJg5KtB",
  "dist/assets/token-7Q2kX9ZbTmVw4RcY8pLs6NdF.js",
  "session-token-9f86d081884c7d659a2feaa0c55ad015.yaml",
  "kubectl get secret default-token-x7k2p",
  "cat <<EOF\nsome text of a file\nEOF",
  "curl -u user:password https://example.com",
  "curl -u $USER:$TOKEN https://api.internal/x",
  "wget --password=PASSWORD https://api.internal/x",
  "<key>CFBundleName</key>\n<string>\n  MyApplication2\n</string>",
])("left alone: %s", (text) => {
  expect(scan(text)).toEqual([]);
});
