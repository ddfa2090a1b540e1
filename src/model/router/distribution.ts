// The Beta distribution: how likely a quality lies below a bound, and between which bounds most of it lies.

/** Counts above 0. */
export interface Beta {
  a: number;
  b: number;
}

export const meanOf = ({ a, b }: Beta): number => a / (a + b);

const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the Gamma function, for x > 0. */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  const series = lanczos.reduce((sum, term, at) => sum + term / (z + at + 1), 0.99999999999980993);
  const t = z + lanczos.length - 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(series);
}

const away = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);

/** The continued fraction of the incomplete Beta function, by Lentz. */
function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let sum = d;
  for (let m = 1; m <= 300; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    sum *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    sum *= d * c;
    if (Math.abs(d * c - 1) < 1e-12) break;
  }
  return sum;
}

/** The share of the distribution up to `x`, for many `x` of the same distribution. */
export function cumulative({ a, b }: Beta): (x: number) => number {
  const scale = logGamma(a + b) - logGamma(a) - logGamma(b);
  const bend = (a + 1) / (a + b + 2);
  return (x) => {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const front = Math.exp(scale + a * Math.log(x) + b * Math.log1p(-x));
    return x < bend ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
  };
}

/** The value below which `share` of the distribution lies. */
export function quantile(distribution: Beta, share: number): number {
  const below = cumulative(distribution);
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (below(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export const credible = (distribution: Beta): [number, number] => [
  quantile(distribution, 0.025),
  quantile(distribution, 0.975),
];
