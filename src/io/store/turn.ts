import { Database } from "./database.ts";

/** Runs `change` alone among all processes that name the same file, which holds nothing; none is left out by one that is killed. */
export function inTurn<T>(file: string, change: () => T): T {
  const turns = new Database(file, []);
  try {
    return turns.transaction(change);
  } finally {
    turns.close();
  }
}
