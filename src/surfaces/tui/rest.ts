// What is done once when a person has left the screen alone for a while, after something has worked.

const quietMs = 2_000;

export class Rest {
  readonly #work: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** Something has worked since the last time. */
  #due = true;
  #working = false;

  constructor(work: () => void) {
    this.#work = work;
  }

  /** A key was pressed, or the work goes on or has ended. */
  stir(working = this.#working): void {
    this.#working = working;
    this.#due ||= working;
    clearTimeout(this.#timer);
    if (!working && this.#due) this.#timer = setTimeout(() => this.#rest(), quietMs).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#due = false;
  }

  #rest(): void {
    this.#due = false;
    this.#work();
  }
}
