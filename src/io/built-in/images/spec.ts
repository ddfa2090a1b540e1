export interface ImagesOptions {
  workspace: string;
  /** Languages that text can be read in, each with the folder of its data; none where the library is not installed. */
  languages: { name: "eng" | "deu"; folder: string }[];
}

/** An image taken apart: what is seen of it, and what else its file carries. */
export interface TakenApart {
  mime: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Without metadata, and without what stands behind its end. */
  bare: Buffer;
  /** What was taken out, by kind, with what of it is text. */
  metadata: { kind: string; bytes: number; text: string }[];
}
