type FileProblemCode =
  | "missing"
  | "not-a-file"
  | "not-a-folder"
  | "outside"
  | "exists"
  | "read-only"
  | "disk-full"
  | "too-large"
  | "bad-name"
  | "bad-pattern"
  | "failed";

/** An expected failure of the file system: the message is one sentence for a person and for the model. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly code: FileProblemCode;

  constructor(code: FileProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A path on one line, whatever it contains. */
export const shown = (file: string): string => (/^[\x20-\x7e\u00a0-\uffff]+$/.test(file) ? file : JSON.stringify(file));

const sentences: Record<string, [FileProblemCode, string]> = {
  ENOENT: ["missing", "does not exist"],
  ENOTDIR: ["missing", "does not exist: a part of its path is not a folder"],
  EISDIR: ["not-a-file", "is a folder"],
  ELOOP: ["outside", "is a link; name the place it leads to"],
  EMLINK: ["outside", "is a link; name the place it leads to"],
  EEXIST: ["exists", "exists already"],
  ENOTEMPTY: ["exists", "is a folder that is not empty"],
  EACCES: ["read-only", "may not be accessed: permission denied"],
  EPERM: ["read-only", "may not be changed: the system does not permit it"],
  EROFS: ["read-only", "is on a read-only file system"],
  ENXIO: ["not-a-file", "is not a regular file"],
  ENOSPC: ["disk-full", "could not be written: the disk is full"],
  EDQUOT: ["disk-full", "could not be written: the disk quota is used up"],
  EFBIG: ["too-large", "would be too large for this file system"],
  ENAMETOOLONG: ["bad-name", "has a name that is too long"],
  EXDEV: ["failed", "cannot be moved to another file system; copy and delete it instead"],
  EMFILE: ["failed", "could not be opened: too many files are open"],
  ENFILE: ["failed", "could not be opened: too many files are open"],
  EIO: ["failed", "could not be read or written: the disk reports an error"],
  EBUSY: ["read-only", "is in use as a mount point and cannot be changed"],
  ETXTBSY: ["read-only", "is a program that is running"],
};

/** Turns a system error into a FileProblem about `file`; everything else comes back as it is. */
export function fileProblem(error: unknown, file: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ERR_INVALID_ARG_VALUE") {
    return new FileProblem("bad-name", `${shown(file)} is not a possible file name.`);
  }
  const known = code === undefined ? undefined : sentences[code];
  return known ? new FileProblem(known[0], `${shown(file)} ${known[1]}.`) : error;
}
