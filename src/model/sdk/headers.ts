// Stands in for the global `Headers` in the bundle (scripts/build.mjs injects it): the provider packages make one per
// request, and the first use of the global loads undici, which takes 18 ms and 5 MB of a young process.

type Init = Iterable<readonly [string, string]> | Record<string, string> | undefined;

class PlainHeaders {
  readonly #values = new Map<string, string>();

  constructor(init?: Init) {
    const entries = init === undefined ? [] : Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of entries as Iterable<readonly [string, string]>) this.append(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }
  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), String(value).trim());
  }
  append(name: string, value: string): void {
    const known = this.get(name);
    this.set(name, known === null ? value : `${known}, ${value}`);
  }
  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }
  forEach(use: (value: string, name: string) => void): void {
    for (const [name, value] of this.entries()) use(value, name);
  }
  /** In the order of their names, as the standard has it. */
  *entries(): IterableIterator<[string, string]> {
    yield* [...this.#values].sort(([left], [right]) => (left < right ? -1 : 1));
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

export { PlainHeaders as Headers };
