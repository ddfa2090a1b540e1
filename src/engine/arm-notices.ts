// What a person is told of the model that will answer, once: that its cost is not counted, that it thinks otherwise.
import type { Arm } from "../model/contract/arm.ts";
import type { Effort } from "../protocol/effort.ts";
import type { BudgetNode } from "./budget/node.ts";
import { effortNote } from "./effort.ts";
import type { Session } from "./session/session.ts";

export class ArmNotices {
  readonly #session: Session;
  readonly #told = new Set<string>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** What it costs is not counted against the usual limits. */
  price({ name, price }: Arm, budget: BudgetNode): void {
    if (price || !budget.limited() || !this.#isNews(`price ${name}`)) return;
    const remedy = `Set it in US dollars per million tokens: fettle models price ${name} INPUT OUTPUT`;
    const text = `The price of ${name} is unknown, so what it costs is not counted and no limit of money stops it. ${remedy}`;
    this.#session.append({ type: "notice.given", code: "price.unknown", level: "warning", text });
  }

  /** Another level of effort is asked for than the wanted one. */
  effort(arm: Arm, wanted: Effort | undefined): void {
    if (wanted === undefined || !this.#isNews(`effort ${wanted} ${arm.name}`)) return;
    const text = effortNote(arm, wanted);
    if (text !== undefined) this.#session.append({ type: "notice.given", code: "effort.other", level: "info", text });
  }

  #isNews(key: string): boolean {
    const news = !this.#told.has(key);
    this.#told.add(key);
    return news;
  }
}
