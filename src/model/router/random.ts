// Chance, injected: the same seed gives the same draws.

/** In [0, 1). */
export type Random = () => number;

/** sfc32 over a seed of any whole number. */
export function seededRandom(seed: number): Random {
  let [a, b, c, counter] = [seed | 0, Math.floor(seed / 2 ** 32) | 0, 0x9e3779b9 | 0, 1];
  const next = (): number => {
    const mixed = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + mixed;
    return (mixed >>> 0) / 2 ** 32;
  };
  // Seeds that differ by a bit only have parted by then.
  for (let round = 0; round < 16; round += 1) next();
  return next;
}

/** Standard normal, by Marsaglia's polar method. */
export function normal(random: Random): number {
  for (;;) {
    const [x, y] = [2 * random() - 1, 2 * random() - 1];
    const square = x * x + y * y;
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square);
  }
}

/** Gamma of `shape` > 0 and scale 1, by Marsaglia and Tsang. */
export function gamma(shape: number, random: Random): number {
  if (shape < 1) return gamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    const u = 1 - random();
    if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** In [0, 1]. */
export function beta(a: number, b: number, random: Random): number {
  const [x, y] = [gamma(a, random), gamma(b, random)];
  // Of two tiny shapes both draws may be too small for a number.
  return x + y > 0 ? x / (x + y) : random() * (a + b) < a ? 1 : 0;
}
