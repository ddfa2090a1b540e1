export interface QueueOptions {
  onClose?: () => void;
  /** Calls `deliver` when a reader that waits may go on; at once if absent. */
  wake?: (deliver: () => void) => void;
}

/** An unbounded queue with one reader: what is pushed is read in order; `end` lets the reader finish what is left. */
export class AsyncQueue<T> implements AsyncIterableIterator<T> {
  #items: T[] = [];
  #waiting: ((result: IteratorResult<T>) => void) | undefined;
  #ended = false;
  #waking = false;
  readonly #options: QueueOptions;

  constructor(options: QueueOptions = {}) {
    this.#options = options;
  }

  push(item: T): void {
    if (this.#ended) return;
    this.#items.push(item);
    if (!this.#waiting || this.#waking) return;
    const { wake } = this.#options;
    if (!wake) return this.#deliver();
    this.#waking = true;
    wake(() => this.#deliver());
  }

  end(): void {
    this.#ended = true;
    this.#options.onClose?.();
    if (!this.#waking) this.#deliver();
  }

  #deliver(): void {
    this.#waking = false;
    const deliver = this.#waiting;
    this.#waiting = undefined;
    deliver?.(this.#taken() ?? { value: undefined, done: true });
  }

  #taken(): IteratorResult<T> | undefined {
    const item = this.#items.shift();
    return item === undefined ? undefined : { value: item, done: false };
  }

  next(): Promise<IteratorResult<T>> {
    const item = this.#taken();
    if (item) return Promise.resolve(item);
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.#items = [];
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
