// Declarations drawn from languages and formats, names and values: what gives a name a secret is found, what is no secret is not.
import fc from "fast-check";
import { expect, test } from "vitest";
import { scan } from "../../src/guard/firewall/scan.ts";

type Form = (name: string, value: string) => string;

/** As the documentation of each language or format writes a declaration. */
const forms: Readonly<Record<string, Form>> = {
  "a line of an environment file": (name, value) => `${name}: ${value}`,
  TypeScript: (name, value) => `const ${name}: string = "${value}";`,
  "a field of TypeScript": (name, value) => `  private readonly ${name}: string | null = '${value}';`,
  Rust: (name, value) => `const ${name}: &'static str = "${value}";`,
  Go: (name, value) => `var ${name} string = "${value}"`,
  "C#": (name, value) => `public string ${name} { get; set; } = "${value}";`,
  C: (name, value) => `const char ${name}[] = "${value}";`,
  "a macro": (name, value) => `#define ${name} "${value}"`,
  "C++": (name, value) => `std::string ${name}{"${value}"};`,
  Ada: (name, value) => `${name} : constant String := "${value}";`,
  "Visual Basic": (name, value) => `Dim ${name} As String = "${value}"`,
  Lisp: (name, value) => `(setq ${name} "${value}")`,
  Clojure: (name, value) => `{:${name} "${value}"}`,
  Erlang: (name, value) => `{${name}, "${value}"}`,
  PHP: (name, value) => `$${name} .= "${value}";`,
  make: (name, value) => `${name} ::= ${value}`,
  "make, expanded": (name, value) => `${name} :::= ${value}`,
  "a block of YAML": (name, value) => `${name}: |\n  ${value}\n`,
  "YAML, folded": (name, value) => `${name}: >-\n    ${value}\n`,
  "YAML on the next line": (name, value) => `${name}:\n  ${value}\n`,
  "YAML with a tag": (name, value) => `${name}: !!str ${value}`,
  "an element on lines of its own": (name, value) => `<${name}>\n    ${value}\n  </${name}>`,
  CDATA: (name, value) => `<${name}><![CDATA[${value}]]></${name}>`,
  "a property with a value": (name, value) => `<property name="${name}">\n  <value>${value}</value>\n</property>`,
  Terraform: (name, value) => `variable "${name}" {\n  type = string\n  default = "${value}"\n}`,
  "a Dockerfile": (name, value) => `ENV ${name} ${value}`,
  fish: (name, value) => `set -gx ${name} ${value}`,
  csh: (name, value) => `setenv ${name} ${value}`,
  Windows: (name, value) => `setx ${name} "${value}"`,
  JSX: (name, value) => `<Login ${name}={"${value}"} />`,
  "a row of a table": (name, value) => `| \`${name}\` | \`${value}\` |`,
  "an arrow": (name, value) => `${name} -> ${value}`,
  "a hyphen": (name, value) => `${name} - ${value}`,
  "a setter": (name, value) => `client.set${name.slice(0, 1).toUpperCase()}${name.slice(1)}("${value}")`,
  "a Java option": (name, value) => `java -D${name}=${value} -jar a.jar`,
};

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const drawn = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
const random = fc
  .oneof(drawn(letters, 32), drawn(letters, 40), drawn("0123456789abcdef", 40))
  // Random letters do not always look random; these would be held for words by a person, too.
  .filter(
    (text) => new Set(text.toLowerCase()).size >= 12 && /\d.*\d.*\d/.test(text) && /[a-z].*[a-z].*[a-z]/i.test(text),
  );
const names = fc.constantFrom("apiKey", "api_key", "client_secret", "accessToken", "SECRET_KEY", "authToken");

test.each(Object.entries(forms))("a secret is found whole in %s", (_form, form) => {
  let found = 0;
  const samples = fc.sample(fc.tuple(names, random), { numRuns: 60, seed: 20_261_122 });
  for (const [name, value] of samples) {
    const text = form(name, value);
    if (scan(text).some(({ from, to }) => text.slice(from, to) === value)) found++;
  }
  expect(found / samples.length).toBeGreaterThan(0.9);
});

test.each(Object.entries(forms))("what is no secret stays in %s", (_form, form) => {
  fc.assert(
    fc.property(
      names,
      fc.constantFrom(
        "changeme",
        "your-api-key-here",
        "process.env.TOKEN",
        "true",
        "kSecretName",
        "default_value_of_it",
        "12345",
      ),
      (name, value) => {
        expect(scan(form(name, value))).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
});

test("a macro that names another is no secret", () => {
  expect(scan("#define KU_KEY_CERT_SIGN X509v3_KU_KEY_CERT_SIGN")).toEqual([]);
});
