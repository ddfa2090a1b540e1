/** Shares of `total` cents, one for each of `people`; they differ by at most one cent. */
export function splitEvenly(total, people) {
  if (people < 1) throw new Error("nobody to split between");
  const share = Math.floor(total / people);
  return Array.from({ length: people }, () => share);
}

/** Shares of `total` cents in proportion to `weights`, for rooms of different size. */
export function splitByWeight(total, weights) {
  const sum = weights.reduce((left, right) => left + right, 0);
  const shares = weights.map((weight) => Math.floor((total * weight) / sum));
  let rest = total - shares.reduce((left, right) => left + right, 0);
  for (let at = 0; rest > 0; at += 1, rest -= 1) shares[at] += 1;
  return shares;
}
