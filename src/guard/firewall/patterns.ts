// What secrets look like. Every row carries examples; test/guard checks each of them.
import { looksRandom, looksSecret } from "./entropy.ts";

export interface SecretPattern {
  kind: string;
  /** One of these stands in every text that the pattern can match; looked for first, because that is cheap. */
  triggers: readonly string[];
  /** Global. The secret is the group `secret`, else the whole match. */
  pattern: RegExp;
  /** Told the secret and the text before it in the match. */
  confirm?: (secret: string, before: string) => boolean;
  match: readonly string[];
  not_match: readonly string[];
}

/** Examples are put together here, so that no scanner of this repository takes them for real ones. */
const sample = (...pieces: string[]) => pieces.join("");
const random = "k7Qx9ZbT2mVw4RcY8pLs6NdF3hJg5KtB1vXq";

export const secretPatterns: readonly SecretPattern[] = [
  {
    kind: "private-key",
    triggers: ["PRIVATE KEY"],
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S]){0,20000}?(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|(?![\s\S]))/g,
    confirm: (secret) => secret.length > 80,
    match: [
      sample("-----BEGIN RSA ", "PRIVATE KEY-----\n", random, random, random, "\n-----END RSA ", "PRIVATE KEY-----"),
    ],
    not_match: ["-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----", "looks for PRIVATE KEY in a text"],
  },
  {
    kind: "private-key-end",
    triggers: ["PRIVATE KEY-----"],
    pattern:
      /(?<=^|\n)(?:[^\n]{0,12}?[A-Za-z0-9+/=]{40,80}\r?\n){1,200}[^\n]{0,90}\r?\n?[^\n]{0,12}-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----/g,
    match: [sample(random, random, "\n", random, random, "\n-----END RSA ", "PRIVATE KEY-----")],
    not_match: ["-----END PUBLIC KEY-----"],
  },
  {
    kind: "aws-key",
    triggers: ["AKIA", "ASIA"],
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])/g,
    match: [sample("AKIA", "IOSFODNN7EXAMPLE")],
    not_match: ["AKIAshort", "MALAKIAIOSFODNN7EXAMPLEX"],
  },
  {
    kind: "github",
    triggers: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    pattern: /(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{40,251})/g,
    match: [sample("ghp_", random), sample("github_pat_", random, "_", random)],
    not_match: ["ghp_short", "a_ghp_variable_name"],
  },
  {
    kind: "gitlab",
    triggers: ["glpat-", "gldt-", "glrt-"],
    pattern: /(?<![A-Za-z0-9])gl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,64}/g,
    match: [sample("glpat-", random.slice(0, 20))],
    not_match: ["glpat-short"],
  },
  {
    kind: "slack",
    triggers: ["xox", "hooks.slack.com"],
    pattern:
      /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,250}|(?<secret>https:\/\/hooks\.slack\.com\/services\/T\w{6,12}\/B\w{6,12}\/\w{20,32})/g,
    match: [sample("xoxb-", "123456789012-", random)],
    not_match: ["xoxo-hugs", "https://hooks.slack.com/services"],
  },
  {
    kind: "stripe",
    triggers: ["k_live_", "k_test_", "whsec_"],
    pattern: /(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)_[A-Za-z0-9]{16,247}|whsec_[A-Za-z0-9+/=]{24,})/g,
    match: [sample("sk_live_", random), sample("rk_test_", random)],
    not_match: ["pk_live_is_public", "sk_live_short"],
  },
  {
    kind: "anthropic",
    triggers: ["sk-ant-"],
    pattern: /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{20,200}/g,
    match: [sample("sk-ant-", "api03-", random)],
    not_match: ["sk-ant-", "task-antenna-of-the-roof-is-broken"],
  },
  {
    kind: "openai",
    triggers: ["sk-"],
    pattern: /(?<![A-Za-z0-9])sk-(?!ant-)(?:(?:proj|svcacct|admin|or-v1)-)?[A-Za-z0-9_-]{20,220}/g,
    confirm: (secret) => looksRandom(secret.replace(/^sk-(?:proj-|svcacct-|admin-|or-v1-)?/, "")),
    match: [sample("sk-", random), sample("sk-proj-", random)],
    not_match: ["sk-short", "task-list-of-everything-that-remains", "sk-learn-is-a-python-library-for-learning"],
  },
  {
    kind: "google",
    triggers: ["AIza", "GOCSPX-", "ya29."],
    pattern:
      /(?<![A-Za-z0-9])(?:AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])|GOCSPX-[A-Za-z0-9_-]{20,40}|ya29\.[A-Za-z0-9_-]{20,250})/g,
    match: [sample("AIza", random.slice(0, 35))],
    not_match: ["AIzaTooShort"],
  },
  {
    kind: "npm",
    triggers: ["npm_"],
    pattern: /(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g,
    match: [sample("npm_", random)],
    not_match: ["npm_config_registry", "npm_package_dependencies_something_else_long"],
  },
  {
    kind: "pypi",
    triggers: ["pypi-"],
    pattern: /(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{50,250}/g,
    match: [sample("pypi-", "AgEIcHlwaS5vcmc", random)],
    not_match: ["pypi-server"],
  },
  {
    kind: "sendgrid",
    triggers: ["SG."],
    pattern: /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}/g,
    match: [sample("SG.", random.slice(0, 22), ".", random, random.slice(0, 7))],
    not_match: ["SG.field.other"],
  },
  {
    kind: "twilio",
    triggers: ["SK", "AC"],
    pattern: /(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])/g,
    match: [sample("SK", "0123456789abcdef0123456789abcdef")],
    not_match: ["SK0123456789abcdef", "MACKEY"],
  },
  {
    kind: "huggingface",
    triggers: ["hf_"],
    pattern: /(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{30,40}(?![A-Za-z0-9_])/g,
    match: [sample("hf_", random.slice(0, 34))],
    not_match: ["hf_hub_download"],
  },
  {
    kind: "jwt",
    triggers: ["eyJ"],
    pattern: /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,1000}/g,
    match: [sample("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.", random)],
    not_match: ["eyJhbGciOiJIUzI1NiJ9", "eyJ.eyJ.x"],
  },
  {
    kind: "database-url",
    triggers: ["://"],
    pattern:
      /(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'`<>]{0,80}:(?<secret>[^\s:@/"'`<>{}$]{4,120})@[^\s"'`<>]/gi,
    confirm: (secret) => !/^(?:pass(?:word)?|pwd|secret|x{3,}|\*+|user|changeme|your[\w-]*|«.*|%[sd])$/i.test(secret),
    match: [
      sample("postgres://app:", "h7Tz!k2Q", "@db.internal:5432/app"),
      sample("https://me:", "h7Tzk2Q9", "@host/repo.git"),
    ],
    not_match: [
      "postgres://app:${PASSWORD}@db/app",
      "http://localhost:8080/@scope/x",
      "postgres://user:password@localhost/db",
    ],
  },
  {
    kind: "authorization",
    triggers: ["uthorization", "UTHORIZATION", "earer "],
    pattern:
      /(?:authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+|(?<![A-Za-z])Bearer\s+)(?<secret>[A-Za-z0-9._~+/=-]{12,4000})/gi,
    confirm: (secret) => looksRandom(secret),
    match: [sample("Authorization: Bearer ", random), sample("authorization: 'Basic ", "dXNlcjpoN1R6IWsyUXg5", "'")],
    not_match: [
      "Authorization: Bearer <token>",
      "Authorization: Bearer ${token}",
      "the bearer of this letter-is-welcome",
    ],
  },
];

/** `NAME = value` where the name says that the value is secret. Longer than the rest, so it stands for itself. */
export const assignmentPattern: SecretPattern = {
  kind: "credential",
  triggers: [],
  pattern:
    /(?<name>(?:api[_-]?key|access[_-]?key|account[_-]?key|secret|token|passw(?:or)?d|passphrase|credential)[\w-]{0,40})["'`]?\]?[ \t]{0,4}(?::[ \t]{0,4}[Ss]tring[ \t]{0,4}=|=>|:=|[:=](?![:=]))[ \t]{0,8}(?<quote>["'`]?)(?=(?<secret>[^\s"'`«»<>(){}[\],;$]{8,512}))\k<secret>(?=["'`\s,;)}\]]|(?![\s\S]))/gi,
  confirm: (secret, before) =>
    looksSecret(
      secret,
      /["'`]$/.test(before),
      /^[^:=]*(?:hash|digest|sha\d*|checksum|integrity|file|path|url|name|id)["'`]?\]?\s*[:=]/i.test(before),
    ),
  match: [
    sample("api_key = '", random, "'"),
    sample('"clientSecret": "', random, '"'),
    sample("DB_PASSWORD=", "h7Tz!k2Qx9"),
    sample("aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY"),
    sample("token: ", random),
    sample("secret_key_base: ", "9f86d081884c7d659a2feaa0c55ad015", "a3bf4f1b2b0b822cd15d6c15b0f00a08"),
  ],
  not_match: [
    "token: string",
    "const token = getToken(request)",
    "password = process.env.PASSWORD",
    "secret: config.session.secretValue",
    "tokenHash = 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "tokenId: 3b241101-e2bb-4255-8caf-4136c566a962",
    "secret = 3b241101-e2bb-4255-8caf-4136c566a962",
    "password: changeme",
    "passwordField = document.querySelector",
    "max_tokens: 4096",
    "SECRET_NAME=production-database-password",
    "getToken: async (tokenOptions: RealtimeFactoryV4GetTokenOptions)",
    "hide node::credentials::HasOnlyOneOf42Things",
  ],
};
