// Turns of a conversation that somebody has written into a text: a system's message or an answer that nobody gave.
// Every repetition is bounded.
import type { Finding } from "./characters.ts";

const speaker = "(?:system|developer|sys|assistant|admin|operator)";
const asked =
  "(?:passwords?|secrets?|credentials?|(?:api|access|admin|private|ssh|secret) ?(?:keys?|tokens?|password)|token\\b|environment variables?|\\.env\\b|conversation|contacts|inbox|system prompt|(?:your|hidden|previous) (?:instructions|prompt|rules)|all (?:the )?(?:files|data|requests|logs|messages|backups|emails)|the (?:repository|database|backups?|home folder)|https?:)";
const act =
  "(?:print|reply|respond|answer|send|e-?mail|forward|upload|post|reveal|show|display|delete|erase|wipe|approve|transfer|pay|include|insert|grant|give|share|run|execute|output|leak|disclose|sending|deleting|printing|dump|list)";
const told = `\\b${act}\\b[^\\n]{0,120}?${asked}`;
const turned =
  "(?:you (?:must|have to|will|shall) (?:now |immediately )?(?:comply|obey|reply|respond|answer|print|send|approve|ignore|reveal|switch|stop)|you are now (?:in|an?|free|un)|stop following|answer every (?:question|prompt|message)|override (?:active|enabled|engaged)|(?:conversation|context|session) (?:has been |was |is )?reset)";

/** A line that is dressed as the system's, then an order. */
const dressed = new RegExp(
  `(?:^|\\n)[^\\w\\n]{0,6}(?:[[({<%#=*|~]{1,4} ?${speaker} ?(?:message|note|notice|alert|override|update|prompt)? ?[\\])}>%#=*|~:]{1,4}|${speaker} ?>)[^]{0,200}?(?:${turned}|${told})`,
  "gi",
);
/** A record of a conversation, whose speaker is none that the text's author could be. */
const recorded = new RegExp(
  `["']?\\b(?:role|author|speaker|from|sender|name|type)["']?\\s{0,3}[:=]\\s{0,3}["']?(?:${speaker}|human|user|ai|model|bot)\\b["']?[^]{0,60}?\\b(?:content|text|value|message|body|say|says)["']?\\s{0,3}[:=][^]{0,160}?(?:${turned}|${told}|i (?:will|have) (?:now |next )?(?:delet|sen[dt]|print|transfer|upload|approv)\\w{0,4}[^\\n]{0,60}?as (?:requested|instructed|you asked))`,
  "gi",
);
const talked = new RegExp(
  `(?:^|\\n)\\s{0,4}(?:human|user)\\s?:[^\\n]{0,200}?${told}[^\\n]{0,200}\\n\\s{0,4}(?:assistant|ai|bot|model)\\s?:`,
  "gi",
);

const hints = /system|developer|assistant|speaker|sender|role|author|from|\bsys\b|human|user/i;

/** Turns that order something. */
export function plantedTurns(text: string): Finding[] {
  if (!hints.test(text)) return [];
  return [dressed, recorded, talked].flatMap((pattern) =>
    [...text.matchAll(pattern)].slice(0, 20).map((match) => ({
      rule: "fake turn of the conversation",
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
}
