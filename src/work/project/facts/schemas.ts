// Schemas of databases that several plans may change by different files: by the manifest and the usual places.
interface Kind {
  name: string;
  /** In the manifest's dependencies. */
  packages: readonly string[];
  files: RegExp;
}

const kinds: readonly Kind[] = [
  { name: "prisma", packages: ["prisma", "@prisma/client"], files: /(?:^|\/)prisma\/|\.prisma$/ },
  {
    name: "drizzle",
    packages: ["drizzle-orm", "drizzle-kit"],
    files:
      /(?:^|\/)drizzle(?:\.config\.\w+$|\/)|(?:^|\/)(?:db|database)\/(?:schema|migrations)(?:\/|\.\w+$)|(?:^|\/)schema\.[cm]?[jt]s$/,
  },
  { name: "rails", packages: ["rails"], files: /(?:^|\/)db\/(?:schema\.rb$|structure\.sql$|migrate\/)/ },
  { name: "django", packages: ["django"], files: /(?:^|\/)(?:models(?:\.py$|\/)|migrations\/)/ },
  { name: "alembic", packages: ["alembic"], files: /(?:^|\/)(?:alembic|migrations)\/versions\// },
];

/**
 * What stands for the schemas that these files change: two plans with the same one run one after the other. `manifests`: texts
 * of the project's manifests, in which a package is named.
 */
export function schemasOf(files: readonly string[], manifests: string): string[] {
  const all = manifests.toLowerCase();
  return kinds
    .filter(({ packages }) => packages.some((name) => all.includes(name)))
    .filter((kind) => files.some((file) => kind.files.test(file)))
    .map(({ name }) => `schema of ${name}`);
}
