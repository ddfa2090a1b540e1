import type { Codebase, Mark } from "../codebase.ts";
import type { Manifests } from "../manifests.ts";
import { bullets, code, counted, document, number, place } from "../markdown.ts";

/** Packages by what they talk to: their names as imports or dependencies. */
const services: readonly (readonly [string, RegExp])[] = [
  [
    "Data Storage",
    /^(?:pg|postgres|postgresql|psycopg2?|asyncpg|mysql2?|pymysql|sqlite3?|better-sqlite3|node:sqlite|libsql|mongodb|mongoose|pymongo|redis|ioredis|memcached|sqlalchemy|prisma|@prisma\/client|drizzle-orm|knex|kysely|typeorm|sequelize|diesel|sqlx|rusqlite|gorm\.io.*|database|java\.sql|elasticsearch|@elastic\/.*|cassandra.*|minio|boto3?|@aws-sdk\/client-(?:s3|dynamodb))$/i,
  ],
  [
    "APIs & External Services",
    /^(?:openai|anthropic|@anthropic-ai\/.*|@ai-sdk\/.*|@google\/.*|stripe|twilio|@sendgrid\/.*|nodemailer|octokit|@octokit\/.*|googleapis|@aws-sdk\/.*|aws-sdk|@azure\/.*|firebase.*|@slack\/.*|discord\.js|grammy|telegraf|axios|got|node-fetch|undici|requests|httpx|aiohttp|urllib3|reqwest|hyper|resty|@modelcontextprotocol\/.*|@agentclientprotocol\/.*)$/i,
  ],
  [
    "Authentication & Identity",
    /^(?:passport.*|jsonwebtoken|jose|next-auth|@auth\/.*|oauthlib|authlib|pyjwt|jwt|bcrypt(?:js)?|argon2|@napi-rs\/keyring|keyring|keytar|golang\.org\/x\/oauth2|@clerk\/.*|auth0.*|ldap.*)$/i,
  ],
  [
    "Monitoring & Observability",
    /^(?:@sentry\/.*|sentry_sdk|@opentelemetry\/.*|opentelemetry.*|prom-client|prometheus_client|datadog.*|dd-trace|newrelic|pino|winston|structlog|loguru|tracing|log4j.*|org\.slf4j)$/i,
  ],
  [
    "Message Queues",
    /^(?:amqplib|pika|kafkajs|kafka.*|confluent_kafka|bullmq|celery|nats|@nestjs\/microservices|@temporalio\/.*)$/i,
  ],
];

/** What the project talks to outside of itself. */
export function integrations(codebase: Codebase, { dependencies }: Manifests): string {
  const imported = codebase.files
    .filter(({ kind }) => kind === "source" || kind === "build")
    .flatMap(({ path, packages }) => packages.map((name) => ({ name, path })));
  const sections = services.map(([title, shape]) => {
    const used = counted(imported, ({ name }) => (shape.test(name) ? name : undefined));
    const known = new Set(used.map(([name]) => name.toLowerCase()));
    const only = dependencies.filter(({ name }) => shape.test(name) && !known.has(name.toLowerCase()));
    return {
      title,
      lines: bullets([
        ...used.map(
          ([name, all]) => `${code(name)}: imported by ${number(all.length, "file")}, as ${code(all[0]?.path ?? "")}`,
        ),
        ...only.map(
          ({ name, manifest, line }) => `${code(name)}: declared, no import found (${place({ path: manifest, line })})`,
        ),
      ]),
    };
  });
  const paths = [...codebase.byPath.keys()];
  const workflows = paths.filter((path) =>
    /(?:^|\/)(?:\.github\/workflows\/|\.circleci\/|\.gitlab-ci\.yml$|Jenkinsfile$|Dockerfile$|(?:docker-)?compose[^/]*\.ya?ml$|Procfile$|fly\.toml$|vercel\.json$|netlify\.toml$)|\.(?:tf|service)$/.test(
      path,
    ),
  );
  return document(
    "External Integrations",
    "Read off imports, manifests, and the names and hosts that sources hold. No value of a variable is read.",
    [
      ...sections,
      { title: "Hosts", lines: bullets(marked(codebase.hosts), 40) },
      { title: "CI/CD & Deployment", lines: bullets([...workflows, ...hidden(codebase)].toSorted().map(code), 40) },
      { title: "Environment Configuration", lines: bullets(marked(codebase.variables), 80) },
    ],
  );
}

const hidden = ({ settings, byPath }: Codebase): string[] =>
  [...settings.keys()].filter((path) => !byPath.has(path) && /(?:^|\/)\.(?:github|circleci)\//.test(path));

const marked = (marks: ReadonlyMap<string, Mark>): string[] =>
  [...marks].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, where]) => `${code(name)} (${place(where)})`);
