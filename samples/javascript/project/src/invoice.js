import { formatAmount, parseAmount } from "./money.js";
import { splitEvenly } from "./split.js";

/** What each flatmate owes for `expenses` (`{ what, amount }`, amounts as text), by name. */
export function createInvoice(expenses, flatmates) {
  const owed = new Map(flatmates.map((name) => [name, 0]));
  for (const { amount } of expenses) {
    const shares = splitEvenly(parseAmount(amount), flatmates.length);
    flatmates.forEach((name, at) => owed.set(name, owed.get(name) + shares[at]));
  }
  return [...owed].map(([name, cents]) => ({ name, amount: formatAmount(cents) }));
}
