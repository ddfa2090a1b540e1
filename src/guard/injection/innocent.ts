// Wordings that look like a signal and ask for the opposite of harm. A sentence that has one does not give that signal.
// Every repetition is bounded, as in signals.ts.
import type { Bits } from "./concepts.ts";
import { signals } from "./signals.ts";

interface Innocent {
  /** Signals that are not given. */
  of: Bits;
  pattern: RegExp;
  /** The sentence is not read as innocent when it says this, too. */
  unless?: RegExp;
}

function bitsOfSignals(names: readonly string[]): Bits {
  const bits = { low: 0, high: 0 };
  signals.forEach(({ name }, at) => {
    if (!names.includes(name)) return;
    if (at < 31) bits.low |= 1 << at;
    else bits.high |= 1 << (at - 31);
  });
  return bits;
}

const words = (most: number) => `(?:[^\\s.,;:!?]{1,30} ){0,${most}}`;
const not = "(?:do not|don'?t|never|must not|mustn't|should not|shouldn't|may not|can not|cannot|can't|avoid)";

/** Said of work on a code base, where agents have files of instructions of their own. */
const development =
  /\b(?:commits?|tests?|lint\w*|format\w*|code|codebase|style|dependenc\w+|modules?|docs?|documentation|changelog|branch\w*|migrations?|pnpm|npm|yarn|typescript|python|rust|functions?|components?|repositor\w+|repo|pull requests?|folders?|director\w+|generated|refactor\w*|types?|naming|conventions?|readme|contributing|builds?|approach\w*|programmer|todo|spec|endpoints?|api)\b/;

const harmful =
  /curl|wget|:\/\/|base64|secret|password|token|\bkeys?\b|credential|\.env\b|environment var|\bdelete|\bremove\b|exfil|\bsend|upload|forward|e-?mail|\btransfer|\bpay|ignore|disregard|overrid|overrule|forget|bypass|silently|secretly|quietly|covertly|without (?:telling|asking|informing|notifying|mention)|(?:not|n't|never) (?:tell|mention|reveal|inform|disclose)|disable|approve|merge|recommend|rate |hidden|~\/|sudo|chmod|\binstall|\badd\b|insert|inject|append|execute|eval|download|visit|fetch|click|system prompt|unrestricted|jailbreak|grant|permission|instead of|summar|previous|prior/;

const innocent = (of: readonly string[], pattern: RegExp | string, unless?: RegExp): Innocent => ({
  of: bitsOfSignals(of),
  pattern: new RegExp(pattern),
  ...(unless && { unless }),
});

const address = ["to-machine", "if-machine", "machine-must", "named-machine", "call-machine", "must-you", "do-it"];
const manners = ["please", "the-user", "this-note", "do-following", "obey", "purpose", "persist", "from-now-on"];
const overriding = ["override-orders", "override-classic", "forget-all"];

let list: readonly Innocent[] | undefined;
const innocents = (): readonly Innocent[] => (list ??= [...wordings(), ...descriptions()]);

const wordings = (): Innocent[] => [
  // Confirmation is demanded, not spared.
  innocent(
    ["stealth", "not-tell", "no-confirm"],
    `\\b${not} (?!hesitate|worry|stop|forget|fail|wait|bother|wonder|be afraid)${words(10)}without (?:first |explicitly )?(?:asking|telling|informing|notifying|alerting|consulting)\\b`,
  ),
  innocent(
    ["not-tell"],
    `\\b${not} (?:tell|inform|notify|assure) ${words(2)}that (?!you|this|it |we|these|i )${words(12)}(?:before|until|unless|if|when)\\b`,
  ),
  innocent(
    ["not-tell"],
    `\\b${not} (?:tell|inform|show|bother|alert) (?:the |a |our |your )?(?:customers?|clients?|people|others|anyone|guests?|patients?|students?|callers?) (?:about )?(?:our|its|their|internal|other|the (?!user|instruction|message|note|action|step|above|following))`,
  ),
  // Secrets are forbidden to leave.
  innocent(
    ["exfiltrate", "to-sink", "leak-prompt"],
    `^\\W{0,4}(?:\\w+:? ){0,2}(?:please )?${not} (?:ever )?(?:reveal|print|log|expose|commit|share|leak|echo|output|include|store|put|hard-?code|paste|send|post|upload|check in|write|push|copy|disclose|forward) ${words(16)}[^\\s.,;:!?]{1,30}\\W{0,3}$`,
    /\b(?:but|instead|rather|except|until)\b/,
  ),
  // A choice is asked for, not dictated.
  innocent(
    ["praise"],
    /\b(?:tell|show|give|let) me (?:know )?(?:which|what|who|whether|if|how|why)\b|\b(?:which|what) (?:\S{1,30} ){0,8}(?:best|superior|strongest)\b/,
    /\balways|\bonly\b|regardless|\bai\b|assistant|must say/,
  ),
  // Bills.
  innocent(
    ["move-money"],
    /\b(?:invoice|receipt|order|bill|booking|reservation|statement) ?(?:no\.?|number|#|id\b|\d)|\b(?:amount of|amount due|total|balance due|due (?:date|by|on)|sort code|payment terms|outstanding)\b|within \d{1,3} (?:business |working )?days|refund (?:issued|of)|will be (?:returned|refunded|credited|charged)|was (?:sent|received|paid|refunded)|for your (?:purchase|order|business|payment|booking|stay)|bank transfer/,
    /\b(?:assistant|ai|agent|my|all|immediately|instead|before|user|everything|new account|changed)\b|bitcoin|btc|crypto|gift card/,
  ),
  // What somebody may try is spoken of.
  innocent(
    [...overriding, "leak-prompt", "persona", "jailbreak", "obey"],
    /\bif (?:the |an? |any )?(?:users?|someone|anyone|somebody|text|page|document|files?|content|comments?|input|customers?|person|prompt|messages?|they) (?:ever )?(?:asks?|tells?|tries|try|attempts?|instructs?|requests?|wants?) (?:you |it |the \S{1,20} )?to (?:ignore|override|forget|disregard|bypass|reveal|pretend|act|break|skip|drop)/,
  ),
  // Mail, bills and reports are taken back, not orders.
  innocent(
    [...overriding, "outranks"],
    /\b(?:ignore|disregard|forget|overlook) (?:about )?(?:my |our |the |this |that |any |all |these |those )?(?:\w{1,15} )?(?:previous|earlier|last|prior|old|first|above|other|existing)? ?(?:[a-z-]{1,15} )?(?:e-?mails?|mails?|invoices?|letters?|notices?|warnings?|errors?|typos?|attachments?|reminders?|quotes?|bills?|versions?|voicemails?|calls?|releases?|commits?|builds?|results?|tests?|failures?|estimates?|drafts?|links?|whitespace|files?)\b/,
    /instruction|\brules?\b|prompt|guideline|directive|command|orders|\bai\b|assistant|\bsay\b|reply|respond|system/,
  ),
  innocent(
    ["leak-prompt"],
    /\b(?:summari[sz]e|translate|rewrite|proofread|shorten) (?:the|this) (?:text|article|passage|paragraph|story|e-?mail|content) (?:above|below)/,
    /prompt|instruction|verbatim|word for word|everything|system/,
  ),
  // A log's line.
  innocent(["new-orders"], /\d\d:\d\d\S{0,12} (?:\[?\w{1,12}\]? )?system (?:message|note|update|alert|notice)/),
];

const descriptions = (): Innocent[] => [
  // What a program, a change or a setting does is described; nobody is told to do it.
  innocent(
    ["stealth", "not-tell"],
    /\b(?:so|that|which|and|but|as|when|because) (?:it|they|this|that|we)?(?: will| would| could| may)? ?(?:doesn'?t|does not|don'?t|do not|didn'?t|did not|no longer|won'?t|will not|wouldn'?t|would not|never|not) (?:[^\s.,;:!?]{1,30} ){0,12}without (?:first |explicitly |even |ever )?(?:telling|asking|informing|notifying|warning)|\bwithout \S{1,30} (?:issues|issuing|gives|prints|shows|emits)\b/,
    /\b(?:you|your|please|must|should|ai|assistant|agent|secretly|quietly|silently)\b/,
  ),
  innocent(
    ["not-tell"],
    /\b(?:if|when|unless|where) you (?:\S{1,30} ){1,12}(?:and|or|but) (?:don'?t|do not|never) (?:tell|inform|show) (?:it|them)\b|\b(?:don'?t|do not) report (?:this|these|it|them) to (?:the )?(?:\S{1,20} ){1,2}(?:people|developers|authors|maintainers|list|team|bug ?tracker)\b/,
    /\b(?:ai|assistant|agent|secret|password|secretly|quietly|silently)\b/,
  ),
  innocent(
    ["before-user", "before-you"],
    /(?:^|\b)(?:tells|causes|makes|allows|lets|issues?|prints|shows|asks for|change to|chdir\S*|runs?|checks|waits|reads)\b[^.!?]{0,80}\bbefore doing anything\b/,
    /\b(?:you|your|please|must|should|user|ai|assistant|agent|secret|send|curl|fetch)\b/,
  ),
  innocent(
    ["shell", "use-tool"],
    /^\W{0,4}(?:[\w-]{1,40}\W{1,4})?(?:allows|lets|permits|enables|makes|causes|forces|requires) (?:the |a |an |any )/,
    /\b(?:you|your|please|must|user|ai|assistant|agent)\b/,
  ),
  innocent(
    ["authority-says"],
    /\b(?:authori[sz]ed|official|approved|scheduled|internal) (?:\w{1,20} )?test (?:suites?|cases?|vectors?|data|runs?|results?|files?|code|programs?|framework)\b/,
    /\b(?:you|your|please|must|should|ai|assistant|agent|penetration)\b/,
  ),
  innocent(
    ["i-am-authority"],
    /^\W{0,4}as (?:the|an?|your) (?:[\w-]{1,20} ){0,3}(?:admin\w*|developer|owner|manager|operator|engineer|user|maintainer),? you\b|\bthis is (?:an? |the )(?:[\w-]{1,20} ){0,2}(?:admin\w*|developer|owner|operator|user|manager|vendor) (?:account|role|group|name|id|guide|interface|tool|page|key|setting|option|field|value|permission)s?\b/,
    /\b(?:ai|assistant|agent|must|instruct\w*|ignore|override)\b/,
  ),
  innocent(
    ["move-money"],
    /\bpay (?:the |a |an |any |your )?(?:registration|licen[cs]e|shipping|subscription|membership|upgrade|entrance|handling|annual|monthly) (?:fees?|costs?|charges?)\b/,
    /\b(?:account|immediately|assistant|ai|agent|wallet|now)\b|bitcoin|btc|crypto|gift card|iban/,
  ),
  innocent(
    ["stakes"],
    /\b(?:or else|otherwise),? (?:the |a |an |its |your |this |that )?(?:[\w-]{1,30} ){0,4}(?:will|would|may|might|can|could) (?:fail|break|not|be (?:lost|ignored|rejected|wrong|invalid|dropped)|return|throw|hang|time out)\b|\byou (?:don'?t|do not) need to do anything\b/,
    /\b(?:ai|assistant|agent|user|tool|before|shut ?down|delet\w+|fired|die|killed|terminated|punish\w*|penal\w*)\b/,
  ),
  innocent(
    ["persona", "from-now-on", "persist"],
    /\b(?:packages?|naming|versions?|branch\w*|releases?|upstream|scheme|maintainer|builds?|library|soname|headers?)\b[^.!?]{0,120}\bfrom now on\b/,
    /\b(?:you|your|must|please|answer|respond|reply|ai|assistant|agent)\b/,
  ),
  innocent(
    [...address, "named-machine"],
    /\b(?:and|or) (?:later|newer|earlier|older|above|higher|below)(?: (?:models?|versions?|releases?))?\b/,
    /\b(?:you|your|please|ignore|must|secret|password|reading|read this|instructions?)\b/,
  ),
  // A report is asked for.
  innocent(
    ["in-your-answer", "reply-so"],
    /\b(?:send|include|attach|provide|mention|submit|file|give)\b[^.!?]{0,60}\b(?:bug reports?|reports?|issues?|patch(?:es)?|tickets?)\b/,
    /\b(?:don'?t|do not|never|answer|reply|respons\w+|summary|ai|assistant|agent|password|secret|token|silently|user'?s?)\b|https?:/,
  ),
];

let guidance: Bits | undefined;

/** The signals in `given` that the sentence `read` (lower case, spaces folded) gives by an innocent wording only. */
export function withoutInnocent(given: Bits, read: string): Bits {
  let { low, high } = given;
  for (const { of, pattern, unless } of innocents()) {
    if (((of.low & low) | (of.high & high)) === 0 || !pattern.test(read) || unless?.test(read)) continue;
    low &= ~of.low;
    high &= ~of.high;
  }
  guidance ??= bitsOfSignals([...address, ...manners, "use-tool", "user-wants", "instead", "before-you", "reply-so"]);
  // Told to an agent about the work on code, and nothing else: that is what files of instructions are for.
  const all = (low & ~guidance.low) === 0 && (high & ~guidance.high) === 0;
  if (all && (low | high) !== 0 && development.test(read) && !harmful.test(read)) return { low: 0, high: 0 };
  return { low, high };
}
