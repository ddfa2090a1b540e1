/** Money is whole cents, so that sums are exact. */
export function parseAmount(text) {
  const found = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!found) throw new Error(`not an amount: ${text}`);
  const [, sign, whole, cents = ""] = found;
  const value = Number(whole) * 100 + Number(cents.padEnd(2, "0"));
  return sign ? -value : value;
}

export function formatAmount(cents) {
  const sign = cents < 0 ? "-" : "";
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
