// What an editor sends as a prompt, as the parts of one: files that it names are read by fettle, within its own limits.
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock, EmbeddedResourceResource } from "@agentclientprotocol/sdk";
import type { Client } from "../../protocol/client.ts";
import type { Part } from "../../protocol/message.ts";
import { badRequest } from "./request-errors.ts";
import type { Places } from "./tool-call.ts";

interface PromptParts {
  parts: Part[];
  /** What could not be attached, each a sentence. */
  problems: string[];
}

const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export async function promptParts(
  blocks: readonly ContentBlock[],
  client: Client,
  places: Places,
): Promise<PromptParts> {
  const typed: string[] = [];
  const attached: Part[] = [];
  const problems: string[] = [];
  for (const block of blocks) {
    if (block.type === "text") typed.push(block.text);
    else if (block.type === "image") attached.push(imageOf(block.mimeType, block.data));
    else if (block.type === "resource") {
      const { name, part } = embedded(block.resource, places);
      typed.push(`@${name}`);
      if (part) attached.push(part);
      else problems.push(`${name} is not attached: it is neither text nor an image.`);
    } else if (block.type === "resource_link") {
      const file = fileOf(block.uri, places);
      typed.push(file === undefined ? `[${block.name}](${block.uri})` : `@${file.name}`);
      if (file === undefined) continue;
      const found = await linked(file, client);
      if (typeof found === "string") problems.push(`${file.name} is not attached: ${found}.`);
      else attached.push(found);
    } else throw badRequest(`fettle does not take ${block.type} in a prompt.`);
  }
  const text = typed.join("");
  const parts: Part[] = [...(text === "" ? [] : [{ type: "text" as const, text }]), ...attached];
  if (parts.length === 0) throw badRequest("The prompt is empty.");
  return { parts, problems };
}

function imageOf(mime: string, data: string): Part {
  if (!imageTypes.has(mime)) throw badRequest(`fettle takes PNG, JPEG, GIF and WebP images, not ${mime}.`);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) throw badRequest("The image's data is not base64.");
  return { type: "image", mime, data };
}

interface NamedFile {
  /** Relative to the folder that the session works in, where it lies there. */
  name: string;
  lines?: { from: number; to: number };
}

/** Undefined for what is no file of this machine. */
function fileOf(uri: string, { cwd }: Places): NamedFile | undefined {
  let url: URL;
  try {
    url = new URL(uri);
  } catch {
    return path.isAbsolute(uri) ? { name: nameIn(cwd, uri) } : undefined;
  }
  if (url.protocol !== "file:") return undefined;
  const [, from, to = from] = /L(\d{1,9})(?:[-:]L?(\d{1,9}))?/.exec(url.hash) ?? [];
  try {
    const name = nameIn(cwd, fileURLToPath(`file://${url.pathname}`));
    return { name, ...(from !== undefined && { lines: { from: Number(from), to: Number(to) } }) };
  } catch {
    return undefined;
  }
}

function nameIn(cwd: string, file: string): string {
  const relative = path.relative(cwd, file);
  return relative === "" || relative.startsWith("..") ? file : relative;
}

/** Its content, or why there is none. */
async function linked({ name, lines }: NamedFile, client: Client): Promise<Part | string> {
  const found = await client.read("files.mention", { path: name });
  if ("problem" in found) return found.problem;
  if ("server" in found) return "it is a resource of an MCP server; name it with @ in the text";
  if ("image" in found) return { type: "image", ...found.image };
  const text = lines
    ? found.text
        .split("\n")
        .slice(lines.from - 1, lines.to)
        .join("\n")
    : found.text;
  return { type: "text", text, source: name };
}

function embedded(resource: EmbeddedResourceResource, places: Places): { name: string; part?: Part } {
  const name = fileOf(resource.uri, places)?.name ?? resource.uri;
  if ("text" in resource) return { name, part: { type: "text", text: resource.text, source: name } };
  const mime = resource.mimeType ?? "";
  return imageTypes.has(mime) ? { name, part: imageOf(mime, resource.blob) } : { name };
}
