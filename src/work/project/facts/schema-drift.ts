// Plans that change the schema of a database and say nothing of bringing it to the database: by files and commands.
import type { SchemaDrift } from "../../../protocol/project.ts";
import { parsePlan } from "../formats/plan.ts";
import { schemasOf } from "./schemas.ts";
import type { PlanningFiles } from "./view.ts";

/** By the kind of schema, the commands that bring it to a database, and the files that say how. */
const brings: Readonly<Record<string, { command: RegExp; files: RegExp; remedy: string }>> = {
  prisma: {
    command: /prisma\s+(?:migrate|db\s+push)/,
    files: /(?:^|\/)prisma\/migrations\//,
    remedy: "npx prisma migrate dev",
  },
  drizzle: {
    command: /drizzle-kit\s+(?:push|migrate|generate)/,
    files: /(?:^|\/)(?:drizzle|migrations)\/.*\.sql$/,
    remedy: "npx drizzle-kit generate && npx drizzle-kit migrate",
  },
  rails: {
    command: /(?:rails|rake)\s+db:(?:migrate|schema:load)/,
    files: /(?:^|\/)db\/migrate\//,
    remedy: "bin/rails db:migrate",
  },
  django: {
    command: /manage\.py\s+(?:makemigrations|migrate)/,
    files: /(?:^|\/)migrations\/.*\.py$/,
    remedy: "python manage.py makemigrations && python manage.py migrate",
  },
  alembic: {
    command: /alembic\s+(?:upgrade|revision)/,
    files: /(?:^|\/)versions\/.*\.py$/,
    remedy: "alembic upgrade head",
  },
};

/** `manifests`: texts in which a package is named. */
export async function schemaDrift({ texts }: PlanningFiles, manifests: string): Promise<SchemaDrift[]> {
  const found: SchemaDrift[] = [];
  for (const [path, text] of texts) {
    const [, stem] = /^phases\/[^/]+\/([^/]+)-PLAN\.md$/.exec(path) ?? [];
    if (stem === undefined) continue;
    const { files = [] } = await parsePlan({ id: stem, path }, text);
    for (const schema of schemasOf(files, manifests)) {
      const kind = schema.replace("schema of ", "");
      const how = brings[kind];
      if (!how || how.command.test(text) || files.some((file) => how.files.test(file))) continue;
      found.push({
        plan: stem,
        path: `.planning/${path}`,
        schema: kind,
        files: files.filter((file) => schemasOf([file], manifests).includes(schema)),
        remedy: how.remedy,
      });
    }
  }
  return found;
}
