// Notes that a person keeps for later sessions, as surfaces see them.
export type NoteScope = "user" | "project";

export interface NoteRow {
  /** Six hex digits. */
  id: string;
  text: string;
  scope: NoteScope;
  /** Absent for one that was written into the file by hand. */
  said?: { date: string; by: string; where: string };
}

export interface NoteQuestions {
  /** `like`: only those about the same thing as this text; `against` where one of the two forbids what the other says. */
  "notes.list": {
    ask: { like?: string };
    answer: { notes: (NoteRow & { against?: boolean })[]; files: Record<NoteScope, string> };
  };
}
