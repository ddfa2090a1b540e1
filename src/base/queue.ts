/** An unbounded queue with one reader: what is pushed is read in order; `end` lets the reader finish what is left. */
export class AsyncQueue<T> implements AsyncIterableIterator<T> {
  #items: T[] = [];
  #waiting: ((result: IteratorResult<T>) => void) | undefined;
  #ended = false;
  readonly #onClose: (() => void) | undefined;

  constructor(onClose?: () => void) {
    this.#onClose = onClose;
  }

  push(item: T): void {
    if (this.#ended) return;
    if (this.#waiting) {
      const deliver = this.#waiting;
      this.#waiting = undefined;
      deliver({ value: item, done: false });
    } else this.#items.push(item);
  }

  end(): void {
    this.#ended = true;
    this.#onClose?.();
    this.#waiting?.({ value: undefined, done: true });
    this.#waiting = undefined;
  }

  next(): Promise<IteratorResult<T>> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve({ value: item, done: false });
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
