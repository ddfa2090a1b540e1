// A file is written beside its place and then put there in one step. Until then a note in the state folder says so: whoever
// comes after a kill removes what was left.
import { symlinkSync, unlinkSync } from "node:fs";
import path from "node:path";
import { systemError, withFallback } from "../../base/fallback.ts";

/** Where notes are kept, and the name of the next one; none are kept before a project's state is opened. */
let notes: { folder: string; next: () => string } | undefined;

export function keepDraftNotes(folder: string, next: () => string): void {
  notes = { folder, next };
}

/** Of a draft that is about to be made. What comes back is called when it is there no more. */
export function noteDraft(draft: string): () => void {
  if (!notes) return () => undefined;
  const note = path.join(notes.folder, notes.next());
  try {
    symlinkSync(draft, note);
  } catch (error) {
    // The state folder is full or gone: the write itself says what there is to say.
    if (error instanceof Error && "code" in error) return () => undefined;
    throw error;
  }
  return () => {
    withFallback(undefined, systemError, () => unlinkSync(note));
  };
}
