// Capabilities: a value that only its maker can produce. Possession is checked at run time, not only by the compiler.

declare const brand: unique symbol;
export type Sealed<Name extends string, T> = { readonly [brand]: Name; readonly phantom?: T };

/** `make` belongs to the one file that may produce the thing; `open` answers undefined for an imitation. */
export function sealer<Name extends string, T extends object>() {
  const contents = new WeakMap<object, T>();
  return {
    make(value: T): Sealed<Name, T> {
      const token = Object.freeze({}) as Sealed<Name, T>;
      contents.set(token, value);
      return token;
    },
    open(token: Sealed<Name, T>): T | undefined {
      return contents.get(token);
    },
  };
}
