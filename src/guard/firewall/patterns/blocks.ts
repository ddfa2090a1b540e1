// Secrets whose sign stands lines away: Kubernetes secrets, logins of Docker, recovery phrases.
import { holdsLogin } from "./structures.ts";

interface Block {
  from: number;
  to: number;
  kind: string;
}

const kubernetes = /^kind:\s*["']?Secret["']?\s*$/m;
const dataLine =
  /^(?<lead>[ \t]{1,8}["']?[\w.-]{1,253}["']?:[ \t]*["']?)(?<secret>[A-Za-z0-9+/]{4,4000}={0,2}|[^\s"'#|>{][^\n"'#{]{3,400})/;

/** The values below `data:` and `stringData:` of a manifest of the kind Secret. */
function kubernetesSecrets(text: string): Block[] {
  const found: Block[] = [];
  if (!text.includes("Secret") || !kubernetes.test(text)) return found;
  let at = 0;
  let section: "data" | "stringData" | undefined;
  for (const line of text.split("\n")) {
    const start = at;
    at += line.length + 1;
    if (/^\S/.test(line)) section = /^(data|stringData):\s*$/.exec(line)?.[1] as typeof section;
    else if (section) {
      const match = dataLine.exec(line);
      const secret = match?.groups?.["secret"]?.trimEnd();
      if (!match || secret === undefined || secret.includes("{{") || secret.includes("«")) continue;
      if (section === "data" && !/^[A-Za-z0-9+/]{4,}={0,2}$/.test(secret)) continue;
      const from = start + (match.groups?.["lead"]?.length ?? 0);
      found.push({ from, to: from + secret.length, kind: "kubernetes" });
    }
  }
  return found;
}

const dockerLogin = /"(?:auth|identitytoken|_auth)"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9+/_-]{8,2000}={0,2})"/g;
const registryLogin = /(?<=^|\n|:)_(?:auth|password)\s{0,2}=\s{0,2}"?(?<secret>[A-Za-z0-9+/]{6,400}={0,2})/g;

function logins(text: string): Block[] {
  const found: Block[] = [];
  const collect = (pattern: RegExp) => {
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.["secret"] ?? "";
      const from = match.index + match[0].lastIndexOf(secret);
      if (holdsLogin(secret)) found.push({ from, to: from + secret.length, kind: "registry-login" });
    }
  };
  if (text.includes('"auth"') || text.includes('"identitytoken"') || text.includes('"_auth"')) collect(dockerLogin);
  if (text.includes("_auth") || text.includes("_password")) collect(registryLogin);
  return found;
}

const phrase =
  /(?:mnemonic|seed[ _-]?phrase|recovery[ _-]?phrase)["'`]?\s{0,4}[:=]\s{0,4}["'`]?(?<secret>[a-z]{3,8}(?: [a-z]{3,8}){11,23})(?![a-z ])/gi;

function phrases(text: string): Block[] {
  if (!/mnemonic|phrase/i.test(text)) return [];
  return [...text.matchAll(phrase)]
    .filter((match) => new Set(match.groups?.["secret"]?.split(" ")).size >= 8)
    .map((match) => {
      const secret = match.groups?.["secret"] ?? "";
      const from = match.index + match[0].lastIndexOf(secret);
      return { from, to: from + secret.length, kind: "recovery-phrase" };
    });
}

export const blocksIn = (text: string): Block[] => [...kubernetesSecrets(text), ...logins(text), ...phrases(text)];
