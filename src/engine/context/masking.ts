// What is sent of old tool results and images: a line each. The store keeps them, `recall` shows them again.
// What is masked follows from the messages alone and only ever grows, in steps: between two steps every request begins
// with the bytes of the one before it, so that prompt caches hold.
import type { AssistantContent, Message, Part, ResultContent } from "../../protocol/message.ts";
import { bytesOf } from "../../model/contract/size.ts";
import { sizeText } from "../../tools/sizes.ts";
import { cutMiddle, targetOf } from "./excerpt.ts";
import { bytesPerToken, type WindowLimits } from "./window.ts";

/** A line in its place would save nothing. */
const leastMasked = 700;
/** What the person has answered stays: it is their word. */
const neverMasked: ReadonlySet<string> = new Set(["ask"]);
/** Images that the person has attached. */
const pictures = { high: 12, low: 4 };

type ToolMessage = Extract<Message, { role: "tool" }>;

/** One kind of thing that piles up: masked from the oldest on when there is more than `high`, until there is `low`. */
interface MaskingLimits {
  high: number;
  low: number;
  weigh(message: Message): number;
  mask(message: Message, before: Message | undefined): Message;
}

interface Pile {
  lane: MaskingLimits;
  /** Messages before this one are masked. */
  from: number;
  weight: number;
}

/** Keeps what it has found of messages that it has seen: a request costs only what is new in it. */
export class Masking {
  readonly #lanes: readonly MaskingLimits[];
  readonly #roundBytes: number;
  #seen: Message[] = [];
  #shown: Message[] = [];
  #piles: Pile[] = [];
  /** Of all that is shown. */
  bytes = 0;

  constructor({ results, round }: Pick<WindowLimits, "results" | "round">) {
    this.#roundBytes = round * bytesPerToken;
    const high = results.high * bytesPerToken;
    this.#lanes = [
      { high, low: results.low * bytesPerToken, weigh: resultBytes, mask: maskResults },
      { ...pictures, weigh: pictureCount, mask: maskPictures },
    ];
    this.#begin();
  }

  /** Messages as they are sent. */
  shown(messages: readonly Message[]): Message[] {
    const known = this.#seen.length;
    const grown =
      messages.length >= known && messages[known - 1] === this.#seen[known - 1] && messages[0] === this.#seen[0];
    if (!grown) this.#begin();
    for (const message of messages.slice(this.#seen.length)) this.#take(message);
    return [...this.#shown];
  }

  /** Tool messages of which something is masked. */
  get masked(): number {
    return this.#shown.filter((message, at) => message !== this.#seen[at]).length;
  }

  #begin(): void {
    this.#seen = [];
    this.#shown = [];
    this.bytes = 0;
    this.#piles = this.#lanes.map((lane) => ({ lane, from: 0, weight: 0 }));
  }

  #take(message: Message): void {
    const shown = message.role === "tool" ? clipped(message, this.#roundBytes) : message;
    this.#seen.push(message);
    this.#shown.push(shown);
    this.bytes += bytesOf(shown);
    for (const pile of this.#piles) this.#pile(pile, shown);
  }

  /** The newest message is never masked: no model has read it yet. */
  #pile(pile: Pile, newest: Message): void {
    const { lane } = pile;
    pile.weight += lane.weigh(newest);
    if (pile.weight <= lane.high) return;
    for (; pile.from < this.#shown.length - 1 && pile.weight > lane.low; pile.from += 1) {
      const old = this.#shown[pile.from];
      if (!old) break;
      const weight = lane.weigh(old);
      if (weight === 0) continue;
      const masked = lane.mask(old, this.#seen[pile.from - 1]);
      this.#shown[pile.from] = masked;
      this.bytes += bytesOf(masked) - bytesOf(old);
      pile.weight -= weight;
    }
  }
}

function resultBytes(message: Message): number {
  if (message.role !== "tool") return 0;
  return message.content.reduce((sum, result) => sum + (isMasked(result) ? bytesOf(result) : 0), 0);
}

const isMasked = (result: ResultContent): boolean => !neverMasked.has(result.name) && bytesOf(result) >= leastMasked;

function maskResults(message: Message, before: Message | undefined): Message {
  if (message.role !== "tool") return message;
  const calls = before?.role === "assistant" ? before.content : [];
  return { ...message, content: message.content.map((result) => (isMasked(result) ? lineFor(result, calls) : result)) };
}

function lineFor(result: ResultContent, calls: readonly AssistantContent[]): ResultContent {
  const call = calls.find((block) => block.type === "call" && block.id === result.call);
  const target = call?.type === "call" ? targetOf(call.input) : "";
  const images = result.parts.filter((part) => part.type === "image").length;
  const what = [sizeText(textBytes(result.parts)), ...(images > 0 ? [`${images} image${images > 1 ? "s" : ""}`] : [])];
  const text = `[Left out to save room: the result of ${[result.name, target].filter(Boolean).join(" ")} (${what.join(", ")}). ${again(result)}]`;
  return { ...result, parts: [{ type: "text", text }] };
}

/** What was printed in full stands under its handle; the rest is found by the call. */
function again(result: ResultContent): string {
  // The note that names it stands behind the data, which may name others.
  const handle = result.parts.map((part) =>
    part.type === "text" ? /\bspill:([\w.-]+)/.exec(part.text)?.[1] : undefined,
  );
  const spilled = handle.findLast((each) => each !== undefined);
  const recall = `recall with call ${JSON.stringify(result.call)} shows it again`;
  return spilled === undefined ? `${recall}.` : `read spill:${spilled} has all of it; ${recall}.`;
}

const textBytes = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => sum + (part.type === "text" ? Buffer.byteLength(part.text) : 0), 0);

const pictureCount = (message: Message): number =>
  message.role === "user" ? message.content.filter((part) => part.type === "image").length : 0;

function maskPictures(message: Message): Message {
  if (message.role !== "user") return message;
  const content = message.content.map((part): Part => {
    if (part.type !== "image") return part;
    return {
      type: "text",
      text: `[An image (${part.mime}) is left out here to save room: ask for it if you need it.]`,
    };
  });
  return { ...message, content };
}

/** What no window could take, whole, becomes the head and tail of each result; the same every time. */
export function clipped(message: ToolMessage, most: number): ToolMessage {
  if (bytesOf(message) <= most) return message;
  const each = Math.floor(most / message.content.length);
  const content = message.content.map((result) => (bytesOf(result) <= each ? result : clipResult(result, each)));
  return { ...message, content };
}

function clipResult(result: ResultContent, most: number): ResultContent {
  const texts = result.parts.filter((part) => part.type === "text");
  const images = result.parts.filter((part) => part.type === "image");
  const forImages = images.reduce((sum, image) => sum + bytesOf(image), 0);
  const keepsImages = forImages <= most / 2;
  const room = Math.max(
    200,
    Math.floor((most - (keepsImages ? forImages : 0)) / Math.max(1, texts.filter(({ note }) => !note).length)) - 200,
  );
  const note = `[… left out, as the window has no room for it: recall with call ${JSON.stringify(result.call)} shows all of it …]`;
  const parts = result.parts.flatMap((part): Part[] => {
    if (part.type === "text" && part.note) return [part];
    if (part.type === "text") return [{ ...part, text: cutMiddle(part.text, room, note) }];
    return keepsImages ? [part] : [];
  });
  if (!keepsImages)
    parts.push({ type: "text", text: `[${images.length} images are left out: there is no room for them.]` });
  return { ...result, parts };
}
