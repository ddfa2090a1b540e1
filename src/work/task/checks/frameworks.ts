// Frameworks, by the packages that the manifests name.
import path from "node:path";
import { manifestNames, manifestPackages } from "../../../guard/supply/manifests.ts";
import type { Look } from "../stacks/profile.ts";

/** What a person calls it, and how packages of it are named. */
const known: readonly (readonly [string, RegExp])[] = [
  ...(
    "react vue svelte next nuxt astro remix express fastify hono koa vite vitest jest mocha electron prisma tailwindcss " +
    "django flask fastapi starlette aiohttp pytest sqlalchemy celery pydantic " +
    "axum actix-web rocket tokio clap bevy tauri"
  )
    .split(" ")
    .map((name): [string, RegExp] => [name, new RegExp(`^${name}$`, "i")]),
  ["angular", /^@angular\/core$/],
  ["nest", /^@nestjs\/core$/],
  ["playwright", /^@?playwright(?:\/test)?$/],
  ["spring-boot", /^org\.springframework\.boot:/],
  ["quarkus", /^io\.quarkus:/],
  ["junit", /^(?:junit:junit|org\.junit\.jupiter:)/],
  ["gin", /\/gin-gonic\/gin$/],
  ["echo", /\/labstack\/echo(?:\/v\d+)?$/],
  ["fiber", /\/gofiber\/fiber(?:\/v\d+)?$/],
  ["chi", /\/go-chi\/chi(?:\/v\d+)?$/],
  ["cobra", /\/spf13\/cobra$/],
];
const inText: readonly (readonly [string, RegExp])[] = [["flutter", /^\s+sdk:\s*flutter\s*$/m]];

const longest = 512 * 1024;

export function frameworksOf({ known: manifests }: Look): string[] {
  const found = new Set<string>();
  for (const [file, text] of manifests) {
    if (text.length > longest) continue;
    for (const [name, pattern] of inText) if (pattern.test(text)) found.add(name);
    const base = path.posix.basename(file);
    const listed = manifestNames(base) ? manifestPackages(base, text) : [];
    if (!Array.isArray(listed)) continue;
    for (const { name: each } of listed) for (const [name, pattern] of known) if (pattern.test(each)) found.add(name);
  }
  return [...found].toSorted();
}
