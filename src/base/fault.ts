/**
 * An expected error that ends a command: one sentence for a person, what to do about it, and an exit code
 * (protocol/exit.ts). Everything else that is thrown is a bug.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly exit: number;
  readonly code: string;
  readonly remedy: string | undefined;

  constructor(code: string, exit: number, message: string, remedy?: string) {
    super(message);
    this.code = code;
    this.exit = exit;
    this.remedy = remedy;
  }
}
