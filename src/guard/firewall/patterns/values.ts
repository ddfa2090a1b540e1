// Whether the value of a name that promises a secret is one.
import { entropy, filled, isWords, looksChosen, looksRandom, uuid } from "./entropy.ts";
import type { Promised } from "./names.ts";

export interface Value {
  text: string;
  quoted: boolean;
  /** What follows an unquoted value. */
  after: string;
  /** `NAME=value`, `name: value`, `--name value`: a line of a configuration, where values are not quoted. */
  configuration: boolean;
}

const interpolated =
  /\$\{|\{\{|\{\$|\$\w+\[|&#x?\d|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|#\{|\$\(|<%|%\(|%[sdv]\b|\$[A-Z_]{3}|^\$[A-Za-z_]|^%\w+%$|@\w+@$|^@|\{[a-z_.]+\}|\{\d\}/;
const reference =
  /^(?:[A-Za-z_$][\w$]*(?:\.|\?\.|::|->)[A-Za-z_$]|process\.|os\.|env[.[:]|ENV[.[:]|%|\/[\w./-]+$|\.{1,2}\/|~\/|https?:\/\/|file:|vault:|arn:|ssm:|secret:\/\/|op:\/\/|ref\+|!+\w|&|\*\w)/;
/** Never the secret itself, also in quotes: paths, addresses, calls. */
const elsewhere =
  /^(?:arn:|https?:\/\/[^@]*$|file:|vault:|ssm:|secret:\/\/|op:\/\/|[A-Z]{2,4}:\\|[A-Za-z]:[\\/])|^\[.*\]$|^\[\[|[A-Za-z]\(.*\)|[\w-]\/[^\s]*\.[a-z]{2,4}$|[^\u0020-\u007e]/;
const publicDigest =
  /^(?:(?:sha\d+|md5)[-:=$]|ssh-(?:rsa|ed25519|dss)[ ,]|\d{4}-\d\d-\d\d|\d+\.[a-z]+$|ecdsa-sha2|AAAA[BCE]3|MII[A-Z]|MF[kY]w|MCowBQ|-----BEGIN (?!.*PRIVATE)|data:|#[0-9a-f]{3,8}$|0x[0-9a-f]{1,16}$|rgba?\()/i;

/** Names in code, in any of its spellings. */
const identifier = /^[A-Za-z_$][\w$]*(?:[.\-/:][A-Za-z_$][\w$]*)*$/;

export function holdsSecret({ kept, vendor, mayBeUuid }: Promised, value: Value): boolean {
  const { text, quoted, after, configuration } = value;
  if (quoted && kept !== "vendor" && kept !== "weak" && isNoise(text)) return true;
  if (
    text.length < 6 ||
    interpolated.test(text) ||
    elsewhere.test(text) ||
    publicDigest.test(text) ||
    text.includes("«")
  )
    return false;
  if (/\s/.test(text) && (kept !== "key" || text.length < 40 || /[A-Za-z]{8}| [a-z]{3,} /.test(text))) return false;
  const refers = reference.test(text) && !(kept === "password" && isExclaimed(text));
  if (!quoted && (after === "(" || after === "[" || refers || !configuration)) return false;
  if (quoted && refers && !(looksRandom(text) && text.length >= 24)) return false;
  if (uuid.test(text)) return (mayBeUuid || (kept === "vendor" && quoted)) && filled(text);
  switch (kept) {
    case "password":
      return looksChosen(text) && (quoted || /\d{3}/.test(text) || !(identifier.test(text) && isWords(text)));
    case "secret":
      return random(text, 16) || (quoted && text.length >= 8 && text.length < 16 && mixed(text) && looksChosen(text));
    case "key":
    case "token":
      return random(text, vendor ? 14 : 16);
    case "hash":
      return text.length >= 20 && looksRandom(text);
    case "weak":
      return vendor
        ? random(text, 16)
        : (text.length >= 32 || (quoted && text.length >= 24 && mixed(text))) && strong(text);
    case "vendor":
      return text.length >= 20 && !/^[0-9a-f]{40}$|^[0-9a-f]{64}$/i.test(text) && strong(text);
  }
}

/** A password that begins with `!`: no negation of a name, no tag of YAML. */
const isExclaimed = (text: string): boolean =>
  text.startsWith("!") && /\d/.test(text) && looksChosen(text.slice(1)) && !isWords(text.slice(1));

/** Letters and signs of every kind in one long word: what generators of keys print. */
function isNoise(text: string): boolean {
  if (text.length < 40 || /[\s\\]|[^\u0020-\u007e]|[A-Za-z]{12}|\$\{|\{\{/.test(text)) return false;
  return new Set(text.replace(/[A-Za-z0-9]/g, "")).size >= 6 && entropy(text) >= 4.3 && /\d/.test(text);
}

const mixed = (text: string): boolean => /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);

function random(text: string, least: number): boolean {
  if (text.length < least || /^[\d.,:\-/ ]+$/.test(text) || !looksRandom(text)) return false;
  if (/^[A-Za-z][A-Za-z0-9]*$/.test(text) && text.length < 20 && !/\d.*\d/.test(text)) return false;
  return !/[\\^]|\(\?|\.\*|\\[wds]|\[\^?[a-z]-[a-z]/i.test(text) || text.length >= 40;
}

/** Where the name promises little: letters of both cases and digits well mixed, and nothing of a path. */
function strong(text: string): boolean {
  if (!/^[A-Za-z0-9+/=_.~-]+$/.test(text) || /^[\w.-]+\/[\w./-]+$/.test(text)) return false;
  const digits = text.match(/\d/g)?.length ?? 0;
  if (digits < 3 || /^[\d.-]+$/.test(text)) return false;
  return (
    looksRandom(text) && (/^[0-9a-f]+$/i.test(text) ? text.length === 32 && entropy(text) >= 3.4 : entropy(text) >= 4)
  );
}
