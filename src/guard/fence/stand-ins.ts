// What is shown of files that are hidden in part, where no layer does it: a file with that text, bound in their place.
import { createHash } from "node:crypto";
import path from "node:path";
import { keepFile } from "../../io/places/kept-files.ts";
import type { MaskedFile } from "../../io/layers/spec.ts";
import type { StandIn } from "../../io/sandbox/git-view.ts";

/** `folder` must be out of reach of programs; a text has one file, whoever it stands for. */
export const standIns = (masked: readonly MaskedFile[], folder: string): StandIn[] =>
  masked.flatMap(({ path: file, shown }) => {
    if (shown === undefined) return [];
    const source = path.join(folder, "shown", createHash("sha256").update(shown).digest("hex").slice(0, 24));
    keepFile(source, shown);
    return [{ path: file, source }];
  });
