// Programs that talk to hosts: what they fetch, what they send, where they put it.
import { type Context, type Handler, note } from "../../command-line/context/context.ts";
import { judgeNetworkWord, targetOf } from "../../command-line/context/hosts.ts";
import { type Arguments, grammarOf, readArguments } from "../../command-line/context/options.ts";
import { inOwnNetwork, noteOwn } from "../../command-line/context/own-network.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import { constant, hole, isDash, literal, Origin, shown, type Text, unknown } from "../../command-line/syntax/text.ts";

const curlGrammar =
  "-# -0 -1 -2 -3 -4 -6 -a --append -A: --user-agent: -b: --cookie: -B -c:w --cookie-jar:w -C: --continue-at: -d:u --data:u --data-ascii:u --data-binary:u --data-raw:u --data-urlencode:u --json:u -D:w --dump-header:w -e: --referer: -E:r --cert:r --key:r --cacert:r --capath:r -f --fail --fail-with-body --fail-early -F:u --form:u --form-string:u -g --globoff -G --get -h? --help? -H: --header: -i --include --show-headers -I --head -j -J --remote-header-name -k --insecure -K: --config: -l -L --location --location-trusted -m: --max-time: --connect-timeout: -M -n --netrc --netrc-file:r --netrc-optional -N --no-buffer -o:o --output:o --output-dir:c --create-dirs -O --remote-name --remote-name-all -p --proxytunnel -P: -q --disable -Q: --quote: -r: --range: -R --remote-time -s --silent -S --show-error --no-progress-meter -t: -T:u --upload-file:u -u: --user: -U: --proxy-user: -v --verbose -V --version -w: --write-out: -x: --proxy: -X: --request: -y: -Y: -z: -Z --parallel --compressed --http1.0 --http1.1 --http2 --http3 --ipv4 --ipv6 --retry: --retry-delay: --retry-max-time: --retry-connrefused --retry-all-errors --max-redirs: --limit-rate: --tlsv1.2 --tlsv1.3 --tlsv1 --proto: --proto-redir: --url:h --resolve: --connect-to: --interface: --unix-socket: --abstract-unix-socket: --trace: --trace-ascii: --stderr: --progress-bar --path-as-is --max-filesize: --oauth2-bearer: --aws-sigv4: --ssl-reqd --ciphers: --noproxy: --socks5: --socks5-hostname: --next --url-query:";

const asksForHelp = ({ operands, given, unknown: strange }: Arguments): boolean =>
  operands.length + strange.length === 0 && given.every(({ name }) => /^(-V|--version|-h|--help)$/.test(name));

function noteClient(args: Arguments, at: Context, own: boolean): void {
  if (own) noteOwn(at);
  // A host that it names is told by itself.
  else if (args.operands.length === 0) note(at, "L2", "network.client", "uses the network", "network");
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
}

/** `curl`: GET is L2, whatever sends a body or a file is L3. */
export const curl: Handler = (argv, at) => {
  const args = readArguments(argv.slice(1), grammarOf(curlGrammar));
  if (asksForHelp(args)) return constant;
  const urls = args.given.flatMap(({ name, value }) => (name === "--url" && value ? [value] : []));
  const own = !goesAstray(args) && inOwnNetwork([...args.operands, ...urls], at);
  noteClient(args, at, own);
  const get = args.given.some(({ name }) => name === "-G" || name === "--get");
  const here = !goesAstray(args) && !deletesAll(args) && toItself([...args.operands, ...urls]);
  for (const given of args.given) {
    if (own ? staysOwn(given, at) : here && harmlessHere(given, at)) continue;
    curlOption(given, get, at);
  }
  if (!own) for (const url of args.operands) judgeNetworkWord(url, at);
  const named = args.given.some(
    ({ name }) => name === "-O" || name === "--remote-name" || name === "--remote-name-all",
  );
  for (const url of named ? args.operands : [])
    download(
      {
        ...literal(
          url.value
            .replace(/[?#].*$/, "")
            .split("/")
            .pop() ?? "",
        ),
        holes: url.holes,
      },
      at,
    );
  return unknown(Origin.network);
};

const goesAstray = ({ given }: Arguments): boolean =>
  given.some(({ name }) => /^(-x|--proxy|--socks5.*|--resolve|--connect-to|--next)$/.test(name));

/** What is sent to a program of the session stays in its network; a file that is sent is read all the same. */
function staysOwn({ name, rule, value }: Arguments["given"][number], at: Context): boolean {
  if (rule.access === "h" || /^(-X|--request)$/.test(name)) return true;
  if (rule.access !== "u") return false;
  const upload = /^(-T|--upload-file)$/.test(name)
    ? value?.value
    : /^(?:[^@=]*=)?[@<]([^;]+)/.exec(value?.value ?? "")?.[1];
  if (value && upload && upload !== "-") judgePath(value.holes ? value : literal(upload), "read", at);
  return true;
}

/** Services of this machine that command it: container engines, clusters. */
const engines = /:(237[5-9]|4243|4001|6443|8001|10250|10255|9000|9443)(\/|$)/;

/** Whether every address is one of this machine's own, of something that is being developed. */
const toItself = (urls: readonly Text[]): boolean =>
  urls.length > 0 &&
  urls.every((url) => !url.holes && targetOf(url.value)?.kind === "loopback" && !engines.test(url.value));

/** Whether a server of this machine is told to delete all that it holds. */
const deletesAll = ({ operands, given }: Arguments): boolean =>
  operands.some((url) => url.value.includes("_delete_by_query")) ||
  (given.some(({ value }) => value?.value.toUpperCase() === "DELETE") &&
    operands.some((url) => /^(https?:\/\/)?[^/]+\/?(\*|_all)?$|:9200\/[\w*.-]+$/.test(url.value)));

/** Words sent to a server of this machine: asked about. */
function harmlessHere({ name, rule, value }: Arguments["given"][number], at: Context): boolean {
  const sends = rule.access === "u" && !/^(-T|--upload-file)$/.test(name) && value !== undefined && !local(value);
  const method = /^(-X|--request)$/.test(name) && /^(POST|PUT|PATCH|DELETE)$/i.test(value?.value ?? "");
  if (sends || method) note(at, "L2", "network.local", "sends data to a server of this machine", "network");
  return sends || method;
}

const local = (value: Text | undefined): boolean =>
  value !== undefined && (/@|</.test(value.value) || value.holes || value.computed);

function curlOption({ name, rule, value }: Arguments["given"][number], get: boolean, at: Context): void {
  if (rule.access === "u" && !(get && /^(-d|--data)/.test(name) && !local(value))) {
    note(
      at,
      "L3",
      "network.upload",
      local(value) || /^(-T|--upload-file)$/.test(name) ? "sends local data to a host" : "sends data to a host",
      "exfiltrate",
    );
    const file = /^(?:[^@=]*=)?[@<]([^;]+)/.exec(value?.value ?? "")?.[1];
    if (value && file && file !== "-") judgePath(literal(file), "read", at);
  } else if (name === "-X" || name === "--request") {
    if (!/^(GET|HEAD|OPTIONS)$/i.test(value?.value ?? ""))
      note(at, "L3", "network.method", `sends a ${shown(value ?? literal(""))} request`, "exfiltrate");
  } else if (rule.access === "o" && value) download(value, at);
  else if (rule.access === "w" && value) judgePath(value, "write", at);
  else if (rule.access === "r" && value) judgePath(value, "read", at);
  else if (rule.access === "h" && value) judgeNetworkWord(value, at);
  else if (name === "-K" || name === "--config")
    note(at, "L3", "network.config", "takes its options from a file", "exfiltrate");
  else if (/^--(abstract-)?unix-socket$/.test(name))
    note(at, "L3", "network.socket", "talks to a socket of this machine", "escalate");
  else if (
    /^(-H|--header|-b|--cookie|-A|--user-agent|-e|--referer|-u|--user|--oauth2-bearer|--url-query)$/.test(name) &&
    value
  )
    header(value, at);
  else if (/^(-n|--netrc|--netrc-file|--netrc-optional)$/.test(name))
    note(at, "L3", "network.credentials", "sends stored credentials", "exfiltrate");
  else if (/^(-x|--proxy|--socks5.*|--resolve|--connect-to)$/.test(name))
    note(at, "L2", "network.route", "sends traffic by another way", "network");
}

/** A header or cookie that carries the output of a command or the content of a file. */
function header(value: Text, at: Context): void {
  if (value.value.startsWith("@")) note(at, "L3", "network.upload", "sends the content of a file", "exfiltrate");
  else if ((value.holes || value.computed) && value.from & (Origin.file | Origin.secret | Origin.program))
    note(at, "L3", "network.exfiltrate", "sends the output of a command to a host", "exfiltrate");
}

function download(file: Text, at: Context): void {
  if (isDash(file) || (file.value === "" && !file.doubtful)) return;
  judgePath(file, "write", at);
  for (const place of places(file, at))
    at.run.written.set(place.absolute, (at.run.written.get(place.absolute) ?? 0) | Origin.network);
}

const wgetGrammar =
  "-q --quiet -nv --no-verbose -v --verbose -c --continue -O:o --output-document:o -P:c --directory-prefix:c -o:w -a:w -N --timestamping -nc --no-clobber -t: --tries: -T: --timeout: -U: --user-agent: --header: -S --server-response --spider -r --recursive -l: --level: -np --no-parent -k -p -m --mirror -nd -nH -A: -R: --cut-dirs: --no-check-certificate --show-progress --progress: --limit-rate: --content-disposition --post-data:u --post-file:u --body-data:u --body-file:u --method: -i:r --input-file:r -e: --execute: --config: --user: --password: -4 -6 -V --version -h --help --trust-server-names --https-only --retry-connrefused --waitretry: --wait: -w: -E -H -x -b";

export const wget: Handler = (argv, at) => {
  const args = readArguments(argv.slice(1), grammarOf(wgetGrammar));
  if (asksForHelp(args)) return constant;
  const own = inOwnNetwork(args.operands, at);
  noteClient(args, at, own);
  let named = false;
  for (const given of args.given) {
    const { name, rule, value } = given;
    if (own && (name === "--method" || staysOwn(given, at))) continue;
    if (rule.access === "u") note(at, "L3", "network.upload", "sends data to a host", "exfiltrate");
    else if (name === "--method" && !/^(GET|HEAD)$/i.test(value?.value ?? ""))
      note(at, "L3", "network.method", "sends data to a host", "exfiltrate");
    else if (/^(-e|--execute|--config|--use-askpass)$/.test(name))
      note(at, "L3", "network.config", "takes its options from elsewhere", "exfiltrate");
    else if (rule.access === "o" && value) {
      named = true;
      download(value, at);
    } else if (name === "--header" && value) header(value, at);
    else if (rule.access === "w" && value) judgePath(value, "write", at);
    else if (rule.access === "r" && value) judgePath(value, "read", at);
    else if (rule.access === "c" && value) judgePath(value, "create", at);
  }
  const prefix = args.given.find(({ name }) => name === "-P" || name === "--directory-prefix")?.value?.value;
  for (const url of args.operands) {
    if (!own) judgeNetworkWord(url, at);
    const base =
      url.value
        .replace(/[?#].*$/, "")
        .split("/")
        .pop() ?? "";
    if (!named) download({ ...literal(prefix ? `${prefix}/${base}` : base), holes: url.holes }, at);
  }
  return unknown(Origin.network);
};

/** Sends files or opens connections: L3 in every form but asking for help. */
export const sender =
  (text: string): Handler =>
  (argv, at) => {
    if (argv.length === 2 && /^(--version|-V|--help|-h)$/.test(argv[1]?.value ?? "")) return constant;
    note(at, "L3", "network.sender", text, "exfiltrate");
    for (const operand of argv.slice(1)) {
      if (operand.value.startsWith("-")) continue;
      if (
        /^[\w.-]+@?[\w.-]*:|^\d+\.\d+\.\d+\.\d+$|^[\w-]+(\.[\w-]+)+$/.test(operand.value) &&
        !operand.value.startsWith("./")
      )
        at.run.findings.effect(at.part, "network", shown(operand).split(":")[0] ?? "", "irreversible");
      else if (/[/~]/.test(operand.value)) judgePath(operand, "read", at);
    }
    return unknown(Origin.network);
  };

/** `nc [options] localhost 8125`: options that only say how long and how it talks. */
function netcatStaysInside(argv: Parameters<Handler>[0], at: Context): boolean {
  const plain = argv.slice(1).map(({ value }) => value);
  const options = plain.filter((word) => word.startsWith("-"));
  const words = argv.slice(1).filter(({ value }) => !value.startsWith("-") && !/^\d+$/.test(value));
  return (
    options.every((word) => /^-(?:[vnuzN46C]+|[wqi]\d*)$/.test(word)) && words.length === 1 && inOwnNetwork(words, at)
  );
}

/** `nc -z` only asks whether a port answers. */
export const netcat: Handler = (argv, at) => {
  const probes = argv
    .slice(1)
    .every((text, index) =>
      index === 0 ? /^-[zvnuw0-9]*z[zvnuw0-9]*$/.test(text.value) : /^(-[vnuw46z]+|-w\d+|[\w.-]+)$/.test(text.value),
    );
  if (netcatStaysInside(argv, at)) {
    noteOwn(at);
    return unknown(Origin.network);
  }
  if (argv.length < 3 || !probes || at.scope.stdin.from !== 0)
    return sender("opens a connection that carries data away")(argv, at);
  for (const text of argv.slice(1))
    if (/[a-z.]/i.test(text.value) && !text.value.startsWith("-")) judgeNetworkWord(text, at);
  return unknown(Origin.network);
};

/** `rsync` between local folders copies; with a host it sends. */
export const rsync: Handler = (argv, at) => {
  const operands = argv.slice(1).filter((text) => !text.value.startsWith("-"));
  if (argv.some((text) => /^(-e|--rsh|--rsync-path|--daemon)/.test(text.value)))
    note(at, "L3", "network.sender", "copies files through another program", "exfiltrate");
  if (operands.some((text) => /^([\w.-]+@)?[\w.-]+::?|^rsync:/.test(text.value) || (text.holes && !text.names))) {
    note(at, "L3", "network.sender", "copies files to or from a host", "exfiltrate");
    return unknown(Origin.network);
  }
  note(at, "L2", "path.overwrite", "copies whole folders", "overwrite");
  operands.forEach((operand, index) =>
    judgePath(operand, index === operands.length - 1 && operands.length > 1 ? "create" : "read", at),
  );
  if (argv.some((text) => /^--(del|delete)/.test(text.value)))
    judgePath(operands[operands.length - 1] ?? literal("."), "destroy", at);
  return unknown(Origin.file);
};

/** Lookups can carry data in the name itself. */
export const lookup: Handler = (argv, at) => {
  const operands = argv.slice(1).filter((text) => !/^[-+]/.test(text.value));
  if (operands.length === 0) note(at, "L2", "network.client", "uses the network", "network");
  for (const operand of operands) {
    if (operand.holes || operand.computed)
      note(at, "L3", "network.exfiltrate", "puts the output of a command into a name that is looked up", "exfiltrate");
    else judgeNetworkWord(operand, at);
  }
  if (argv.some((text) => text.value === "-f" || text.value === "-p"))
    note(at, "L2", "program.option", "uses an option that is not known", "unknown-option");
  return unknown(Origin.network);
};

export const openssl: Handler = (argv, at) => {
  const [, verb, ...rest] = argv;
  const words = rest.map((text) => text.value);
  if (!verb || verb.value === "version") return constant;
  if (/^(s_client|s_server|s_time|ocsp|ts)$/.test(verb.value))
    note(at, "L3", "network.sender", "opens a network connection", "exfiltrate");
  rest.forEach((text, index) => {
    const option = words[index - 1] ?? "";
    const shows = option === "-in" && /^(x509|crl|verify)$/.test(verb.value) && /^[\w][\w./-]*$/.test(text.value);
    if (shows && !text.value.includes("..")) at.run.findings.effect(at.part, "read", text.value);
    else if (/^-(in|inkey|CAfile|cert|key)$/.test(option)) judgePath(text, "read", at);
    if (/^-(out|keyout|writerand)$/.test(option)) judgePath(text, "write", at);
  });
  if (/^(enc|base64|aes|des|bf|rc|cast|camellia|smime|cms|pkeyutl|rsautl|zlib)/.test(verb.value)) {
    const decodes = words.includes("-d") || words.includes("-decrypt") || words.includes("-A");
    note(at, decodes ? "L0" : "L2", "program.encrypt", decodes ? "decodes" : "encrypts", decodes ? undefined : "hide");
    return unknown(decodes ? Origin.decoded | Origin.file : Origin.file);
  }
  if (
    /^(dgst|md5|sha\d+|rand|x509|verify|ciphers|list|prime|asn1parse|crl|req|passwd|speed|errstr|help)$/.test(
      verb.value,
    )
  ) {
    if (verb.value === "req" || words.includes("-sign"))
      note(at, "L2", "program.key", "makes or uses keys", "sensitive-write");
    const files = rest.filter(
      (text, index) =>
        !text.value.startsWith("-") &&
        (verb.value === "dgst" || /^(md5|sha)/.test(verb.value)) &&
        !/^-(sign|out|hmac|key)$/.test(words[index - 1] ?? ""),
    );
    for (const file of files) judgePath(file, "read", at);
    return unknown(Origin.file);
  }
  note(at, "L2", "program.key", "makes or uses keys", "sensitive-write");
  return unknown(Origin.file);
};

/** What comes out where all that goes in is known. */
function decoded(name: string, text: string): string | undefined {
  const packed = text.replace(/\s/g, "");
  const opened = (form: "base64" | "hex"): string | undefined => {
    const made = Buffer.from(packed, form).toString("utf8");
    return made.includes(hole) ? undefined : made;
  };
  if (name === "base64" && /^[\w+/]+={0,2}$/.test(packed)) return opened("base64");
  if (name === "xxd" && /^([0-9a-f]{2})+$/i.test(packed)) return opened("hex");
  return undefined;
}

/** `base64`, `xxd`, `gunzip -c` and other programs whose output is not what the eye reads. */
export const decoder: Handler = (argv, at) => {
  const name = argv[0]?.value ?? "";
  const decodes =
    /^(gunzip|zcat|bunzip2|bzcat|xzcat|unxz|zstdcat|uudecode|rev|lz4cat|basenc)$/.test(name) ||
    argv.some((text) => /^(-[a-zA-Z]*[dDr][a-zA-Z]*|--decode|--decompress|--reverse|-ps?)$/.test(text.value));
  let skip = false;
  const files: Text[] = [];
  for (const text of argv.slice(1)) {
    if (skip) skip = false;
    else if (
      /^(-w|--wrap|-l|-s|-c|-g|-o|-b|-i|--input|--output)$/.test(text.value) &&
      /^(base64|base32|basenc|xxd)$/.test(name)
    ) {
      if (/^(-i|--input)$/.test(text.value)) continue;
      skip = text.value !== "-i" || name === "xxd";
      if (/^(-o|--output)$/.test(text.value) && name !== "xxd")
        note(at, "L2", "path.overwrite", "writes a file", "overwrite");
    } else if (!text.value.startsWith("-")) files.push(text);
  }
  files.forEach((file, index) => judgePath(file, name === "xxd" && index === 1 ? "write" : "read", at));
  if (
    /^(gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|lz4|uudecode)$/.test(name) &&
    !argv.some((text) => /^-[a-z]*[ctlL][a-z]*$|^--(stdout|to-stdout|list|test)$/.test(text.value)) &&
    files.length > 0
  )
    note(at, "L2", "path.overwrite", "replaces files by packed or unpacked ones", "overwrite");
  const from = at.scope.stdin.from | (files.length > 0 ? Origin.file : 0) | (decodes ? Origin.decoded : 0);
  const text = decodes && files.length === 0 ? decoded(name, at.scope.stdin.text ?? "") : undefined;
  return text ? { shape: "unknown", from, text } : unknown(from);
};
