/** How long the texts are the same from their beginning. */
export function commonLength(left: string, right: string): number {
  let [low, high] = [0, Math.min(left.length, right.length)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (left.slice(low, middle) === right.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
