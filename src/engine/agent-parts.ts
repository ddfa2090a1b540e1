// What an agent is made of.
import type { Firewall } from "../guard/firewall/firewall.ts";
import type { Gate } from "../guard/gate.ts";
import type { Arm } from "../model/contract/arm.ts";
import type { Wire } from "../model/wire.ts";
import type { CommandClass } from "../protocol/effect.ts";
import type { FactOf } from "../protocol/event.ts";
import type { Json } from "../protocol/message.ts";
import type { ModelRequest } from "../protocol/request.ts";
import type { Registry } from "../tools/registry.ts";
import type { Helpers } from "./context/helpers.ts";
import type { ArmChoice, ArmWish } from "./arm-choice.ts";
import type { BudgetNode } from "./budget/node.ts";
import type { ClockLimits } from "./clock.ts";
import type { Checkpoints, OwnWork, SnapshotSource } from "./checkpoint.ts";
import type { Prefix } from "./context/prefix.ts";
import type { KeeperParts } from "./context/room.ts";
import type { EffortSetting } from "./effort.ts";
import type { LoopLimits } from "./loop-guard.ts";
import type { Session } from "./session/session.ts";
import type { TurnParts } from "./turn.ts";

export interface AgentParts {
  session: Session;
  /** Loaded when first asked for. */
  gate(): Promise<Gate>;
  registry: Registry;
  wire: Wire;
  firewall: Firewall;
  arm(name: string): Promise<Arm>;
  /** Which arm a turn asks; without it the one that the session names. */
  choose?(wish: ArmWish): Promise<ArmChoice>;
  /** What its turns are for, where that is no person's prompt. */
  mission?: string;
  /** That mission is sent to mend what it has made. */
  mends?: boolean;
  prefix(): Promise<Prefix>;
  snapshots: SnapshotSource;
  /** What commands left behind has been looked at. */
  settled?: () => Promise<void>;
  /** Called before a turn ends. Throws when what was noted of it cannot be written. */
  recorded?: () => void;
  progress: LoopLimits;
  budget: BudgetNode;
  /** Called with every priced round, for the user-wide ledger of money and the chain. */
  roundEnded(fact: FactOf<"round.ended">, request: ModelRequest): void;
  /** Waits for a person's answer to the question asked in call `call`; undefined when nobody can or does answer. */
  question(call: string, signal: AbortSignal): Promise<string | undefined>;
  /** Whether an attached file is known to hold text of a tainted session. */
  inherits?: (source: string) => boolean;
  /** Told at the end of a turn in a tainted session what the turn changed. */
  changedTainted?: (paths: readonly string[]) => void;
  /** What the model has to know before a turn of what it was told in the prefix. */
  news?: () => Promise<string | undefined>;
  /** Of a session's start, and before a turn ends as done. */
  hooks?: {
    /** Words for the model; rejects with a Fault where a hook refuses the prompt. */
    prompted(prompt: string, signal: AbortSignal): Promise<string>;
    opening(signal: AbortSignal): Promise<string>;
    ending(answer: string, signal: AbortSignal): ReturnType<NonNullable<TurnParts["ending"]>>;
  };
  context: Omit<KeeperParts, "session">;
  /** Tokens that one answer of the arm may have. */
  longestAnswer(arm: Arm): number;
  temperature: number;
  effort?: EffortSetting;
  clock: ClockLimits;
  /** The longest that a command may take. */
  commandMs(command: CommandClass, wanted: number | undefined): number;
  outputSchema?: Json;
  /** All that is wrong with an answer, where whoever reads it forgives more than the schema does. */
  answerProblems?: (answer: string) => readonly string[];
  /** Who begins its turns: of a task fettle, of a subagent the agent that started it; no person has spoken then. */
  origin?: "model" | "fettle" | "agent";
  /** The subagents that it has started, if any. */
  helpers?: () => Helpers | undefined;
  /** Told before it starts several at once, as TurnParts. */
  together?: TurnParts["together"];
  /** A subagent changes files in the turn that it works for. */
  checkpoints?: Checkpoints;
  own?: OwnWork;
}
