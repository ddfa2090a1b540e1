// Pictures of pages that were found right, and what of a page differs from one.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { type BuiltInReply, PluginProblem, textReply } from "../serving/spec.ts";

/** A picture that is there stays as it is: who wants another one takes it away. */
export function keptPicture(file: string, data: Buffer): string {
  const name = path.basename(file);
  if (existsSync(file)) throw new PluginProblem(`${name} is there already, and is not replaced.`);
  writeFileSync(file, data, { flag: "wx" });
  const { width, height } = PNG.sync.read(data);
  return `${name} is kept, ${width} x ${height}.`;
}

/** `allowed`: the share of pixels that may differ. */
export function compared(file: string, data: Buffer, allowed: number): BuiltInReply {
  const name = path.basename(file);
  if (!existsSync(file)) throw new PluginProblem(`There is no picture ${name}; keep makes one.`);
  const before = picture(readFileSync(file), name);
  const now = PNG.sync.read(data);
  const { width, height } = before;
  if (width !== now.width || height !== now.height)
    return {
      failed: true,
      parts: [
        { type: "text", text: `${name} is ${width} x ${height}, the page ${now.width} x ${now.height}.` },
        { type: "image", mime: "image/png", data: data.toString("base64") },
      ],
    };
  const difference = new PNG({ width, height });
  const count = pixelmatch(before.data, now.data, difference.data, width, height, { threshold: 0.1 });
  const share = count / (width * height);
  const told = `${count} of ${width * height} pixels differ (${(share * 100).toFixed(3)} %) from ${name}`;
  if (share <= allowed) return textReply(count === 0 ? `The page looks as ${name}.` : `${told}, which is allowed.`);
  return {
    failed: true,
    parts: [
      { type: "text", text: `${told}; they are red in the picture.` },
      { type: "image", mime: "image/png", data: PNG.sync.write(difference).toString("base64") },
    ],
  };
}

function picture(data: Buffer, name: string): PNG {
  try {
    return PNG.sync.read(data);
  } catch {
    throw new PluginProblem(`${name} is no PNG.`);
  }
}
