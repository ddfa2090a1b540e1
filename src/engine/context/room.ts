// Words between who keeps a conversation within its window and who makes room in it.
import type { Gate } from "../../guard/gate.ts";
import type { Arm } from "../../model/contract/arm.ts";
import type { Effort } from "../../protocol/effort.ts";
import type { Message } from "../../protocol/message.ts";
import type { Registry } from "../../tools/registry.ts";
import type { Session } from "../session/session.ts";
import type { AsideParts } from "./aside.ts";
import type { Pin } from "./opening.ts";
import type { Prefix } from "./prefix.ts";
import type { ContextSettings, WindowLimits } from "./window.ts";

/** What a hook says before messages are left out: `denied` keeps them. */
export interface CompactionOpinion {
  denied?: string;
  /** For the model that writes the summary, as data. */
  said: string;
}

/** As hooks read it. */
export interface CompactionMoment {
  trigger: "auto" | "manual";
  custom_instructions: string;
}

export interface KeeperParts {
  session: Session;
  settings: ContextSettings;
  /** Who writes summaries, when not the session's own model. */
  summaryArm?: () => Promise<Arm | undefined>;
  compacting?: (moment: CompactionMoment, signal: AbortSignal) => Promise<CompactionOpinion>;
  /** What else must stay word for word, such as the ids of subagents. */
  pins?: () => Pin[];
}

/** Of the turn, or of the person's wish, that room is made for. */
export interface RoomParts extends AsideParts {
  arm: Arm;
  prefix: Prefix;
  temperature: number;
  /** As the turn's requests have it: what is cached of them holds for the same effort only. */
  effort?: (arm: Arm) => Effort | undefined;
  gate(): Promise<Gate>;
  registry: Registry;
}

export type Why = "full" | "asked" | "overflow";

/** A person's wish for room, and what must not be lost by it. */
export interface Wish {
  focus?: string;
}

/** A conversation that is kept within its window, for who makes room in it. */
export interface Kept {
  readonly parts: KeeperParts;
  limitsFor(arm: Pick<Arm, "contextWindow">): WindowLimits;
  /** As it is sent. */
  shown(arm: Pick<Arm, "contextWindow">): Message[];
  /** Tool messages of which something is left out. */
  readonly masked: number;
  /** Estimated, from bytes. */
  tokensOf(bytes: number): number;
}
