type Expected = (error: unknown) => boolean;

/** What `work` gives, or `fallback` where it fails with an error that is `expected`; any other error goes on. */
export function withFallback<F, T>(fallback: F, expected: Expected, work: () => T): F | T {
  try {
    return work();
  } catch (error) {
    if (expected(error)) return fallback;
    throw error;
  }
}

export const anyError: Expected = () => true;

/** One of the system, which has a code such as ENOENT. */
export const systemError: Expected = (error) => error instanceof Error && "code" in error;

export const hasCode =
  (...codes: readonly string[]): Expected =>
  (error) =>
    codes.includes((error as NodeJS.ErrnoException).code ?? "");

export const isA =
  (...types: readonly (abstract new (...given: never[]) => Error)[]): Expected =>
  (error) =>
    types.some((type) => error instanceof type);
