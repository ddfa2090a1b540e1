/**
 * An expected error that ends a command: one sentence for a person, what to do about it, and an exit code
 * (protocol/exit.ts). Everything else that is thrown is a bug.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly exit: number;
  readonly code: string;
  readonly remedy: string | undefined;

  /** `remedy`: undefined only where none can be known. */
  constructor(code: string, exit: number, message: string, remedy: string | undefined) {
    super(message);
    this.code = code;
    this.exit = exit;
    this.remedy = remedy;
  }
}

const troubles: Record<string, [problem: string, remedy: string]> = {
  ENOSPC: ["the disk is full", "Free space on the disk, and do it again."],
  EDQUOT: ["the disk quota is used up", "Free space on the disk, and do it again."],
  EROFS: ["the file system is read-only", "Name another place, or make this one writable."],
  EACCES: ["permission denied", "Give yourself the right to it."],
  EPERM: ["the system does not permit it", "Give yourself the right to it."],
  EIO: ["the disk reports an error", "Look after the disk before anything else."],
  EMFILE: ["too many files are open", "Close other programs, or raise the limit (ulimit -n)."],
  ENFILE: ["too many files are open", "Close other programs, or raise the limit (ulimit -n)."],
  ENOMEM: ["no memory is left", "Close other programs."],
};

/** By the code of a FileProblem. */
const fileRemedies: Record<string, string> = {
  "disk-full": "Free space on the disk, and do it again.",
  "read-only": "Name another place, or give yourself the right to it.",
  failed: "See whether the disk and its file system are well.",
};

/** What the machine refuses is nobody's bug: a system's error, or a room's sentence about a file, as a Fault. */
export function machineFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path } = error as { code?: unknown; path?: unknown };
  if (error.name === "FileProblem")
    return new Fault(
      "machine.file",
      1,
      error.message,
      fileRemedies[String(code)] ?? "Correct it, or name another one.",
    );
  const [problem, remedy] = (typeof code === "string" ? troubles[code] : undefined) ?? [];
  if (problem === undefined) return undefined;
  const what = typeof path === "string" ? `${path} cannot be` : "Something could not be";
  return new Fault("machine.trouble", 1, `${what} read or written: ${problem} (${String(code)}).`, remedy);
}
