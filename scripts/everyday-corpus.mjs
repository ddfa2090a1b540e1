// Collects shell commands of ordinary development from what is installed on this machine: scripts of package.json files, fenced
// shell blocks and `$ ` lines of READMEs and guides, EXAMPLES of manual pages, run lines of CI files, recipes and Dockerfiles.
// Usage: sh scripts/run.sh scripts/everyday-corpus.mjs OUT FOLDER… ; writes OUT as JSON lines {command, source, half}.
// The half is decided by the first hex digit of the command's sha256: below 8 is "tune", else "held".
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { classOf } from "./everyday-classes.mjs";
import { gunzipSync } from "node:zlib";

const largest = 2_000_000;
const shellFence = /^(sh|bash|shell|console|shell-session|shellsession|zsh|terminal|commandline|cmd-unix|sh-session)$/i;
const seen = new Map();
const binaries = new Set();

function add(command, source) {
  const text = command.trim().replace(/\s+$/, "");
  if (text.length < 2 || text.length > 400 || seen.has(text) || !plausible(text)) return;
  const digit = createHash("sha256").update(text).digest("hex")[0] ?? "f";
  seen.set(text, { command: text, source, half: digit < "8" ? "tune" : "held" });
}

/** Documentation leaves gaps (`<file>`, `[options]`, `...`) that no shell would be given. */
function plausible(text) {
  if (/[\\|&(]$/.test(text) || /={4}/.test(text)) return false;
  if (/^at \S+ \(|^(diff --git|index [0-9a-f]+\.\.)/.test(text)) return false;
  if (!/^[a-z_./~][\w.+/~-]*(\s|$|=|;|\()|^(\[|if |for |while |\{|\()/i.test(text)) return false;
  if (
    /<[a-z][\w .|/-]*>|\[[a-z-]+(\s[^\]]*)?\]\s*$|\[-|\[\.\.\.|\.\.\.\]|(^|\s)\.\.\.(\s|$)|…|\\f[BIR]|&lt;|\{\{|^[A-Z][a-z]+ [a-z]+ [a-z]+/.test(
      text,
    )
  )
    return false;
  if (
    /^(import|from|const|let|var|function|class|def|return|print|module|export default|use|fn|pub|struct|package|Usage|usage|Options|Error|error|warning|note|total|ok|Note|The|true|false|null|undefined)\b(?!\.)[^;|&]*$/.test(
      text,
    )
  )
    return text === "true" || text === "false";
  return /^[\w./~[{(-]+(\s|$|=)/.test(text);
}

const entity = (text) =>
  text
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");

/** Lines of one block: `$ ` lines alone when there are any, continuation lines joined, comments dropped. */
function block(text, source) {
  const lines = text
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.trim());
  const prompted = lines.filter((line) => /^[$%#] [a-z./[]/i.test(line) && !/^# /.test(line));
  const console = prompted.length > 0;
  let joined = [];
  for (const line of console ? prompted.map((one) => one.slice(2)) : lines) {
    if (!line || line.startsWith("#")) continue;
    add(line.replace(/\s+#\s.*$/, ""), source);
    joined.push(line);
  }
  joined = [];
}

function markdown(text, source) {
  for (const [, , language = "", body = ""] of text.matchAll(
    /^[ \t]*(```+|~~~+)[ \t]*([\w-]*)[^\n]*\n([\s\S]*?)^[ \t]*\1/gm,
  ))
    if (shellFence.test(language)) block(body, source);
    else if (/^\s*\$ /m.test(body))
      block(
        body
          .split("\n")
          .filter((line) => /^\s*\$ /.test(line))
          .join("\n"),
        source,
      );
  for (const [, line = ""] of text.matchAll(/^(?: {4}|\t| {2,})\$ (.+)$/gm)) add(line, source);
}

function rst(text, source) {
  for (const [, indent = "", body = ""] of text.matchAll(
    /^([ \t]*)\.\. (?:code-block|code|sourcecode)::[ \t]*(?:console|bash|sh|shell|shell-session)[ \t]*\n((?:[ \t]*\n|\1[ \t]+[^\n]*\n)+)/gm,
  )) {
    void indent;
    block(body, source);
  }
  for (const [, line = ""] of text.matchAll(/^\s+\$ (.+)$/gm)) add(line, source);
}

function html(text, source) {
  for (const [, body = ""] of text.matchAll(
    /<code class="[^"]*language-(?:sh|bash|shell|console)[^"]*">([\s\S]*?)<\/code>/g,
  ))
    block(entity(body), source);
  for (const [, body = ""] of text.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)) {
    const plain = entity(body);
    if (/^\s*\$ /m.test(plain)) block(plain, source);
  }
}

function manual(text, source) {
  const examples = /\.SH "?EXAMPLES?"?\n([\s\S]*?)(?=\n\.SH |$)/i.exec(text)?.[1];
  if (!examples) return;
  const plain = examples
    .replaceAll(/\\f[BIRP]|\\f\([A-Z]{2}|\\f\[\w*\]/g, "")
    .replaceAll(/\\\*\((?:Aq|aq)/g, "'")
    .replaceAll(/\s+\(\d\)$/gm, "")
    .replaceAll(/\\-/g, "-")
    .replaceAll(/\\\(aq|\\'/g, "'")
    .replaceAll(/\\\(dq/g, '"')
    .replaceAll(/\\e|\\\\/g, "\\")
    .replaceAll(/\\&|\\\||\\\//g, "")
    .replaceAll(/\\\(ti/g, "~")
    .replaceAll(/\\\(ha/g, "^")
    .replaceAll(/\\\(co/g, "");
  for (const [, body = ""] of plain.matchAll(/^\.(?:nf|EX|Bd -literal)[^\n]*\n([\s\S]*?)^\.(?:fi|EE|Ed)/gm)) {
    const lines = body.split("\n").filter((line) => !line.startsWith("."));
    const prompted = lines.filter((line) => /^\s*[$%] \S/.test(line));
    const name = path.basename(source).split(".")[0] ?? "";
    const own = lines.filter(
      (line) => line.trim().startsWith(`${name.replace("-", " ")} `) || line.trim().startsWith(`${name} `),
    );
    block((prompted.length > 0 ? prompted : own).join("\n"), source);
  }
  for (const [, line = ""] of plain.matchAll(/^\s*(?:\.B |\.BR |\.I )?\$ (.+)$/gm)) add(line, source);
}

function manifest(text, source) {
  let scripts;
  try {
    scripts = JSON.parse(text).scripts;
  } catch {
    return;
  }
  const { bin, name: own } = JSON.parse(text);
  if (typeof bin === "string" && typeof own === "string") binaries.add(path.basename(own));
  else if (bin && typeof bin === "object") for (const name of Object.keys(bin)) binaries.add(name);
  if (!scripts || typeof scripts !== "object") return;
  for (const [name, body] of Object.entries(scripts)) {
    if (typeof body === "string") add(body, source);
    add(/^(test|start)$/.test(name) ? `npm ${name}` : `npm run ${name}`, source);
  }
}

function workflow(text, source) {
  for (const [, line = ""] of text.matchAll(/^\s*(?:- )?run:[ \t]+(?![|>])(.+)$/gm))
    add(line.replace(/^["'](.*)["']$/, "$1"), source);
  for (const [, indent = "", body = ""] of text.matchAll(
    /^([ \t]*)(?:- )?run:[ \t]*[|>]-?[ \t]*\n((?:\1[ \t]+[^\n]*\n|\s*\n)+)/gm,
  )) {
    void indent;
    block(body, source);
  }
}

function recipes(text, source) {
  for (const line of text.replaceAll(/\\\n\s*/g, " ").split("\n"))
    if (line.startsWith("\t"))
      add(
        line
          .trim()
          .replace(/^[@+-]+/, "")
          .replaceAll(/\$[({](\w+)[)}]/g, "$$$1")
          .replaceAll("$$", "$"),
        source,
      );
    else if (/^RUN /.test(line)) add(line.slice(4), source);
}

function read(file) {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

function take(file) {
  const name = path.basename(file).replace(/\.gz$/, "");
  const kind = /^package\.json$/.test(name)
    ? manifest
    : /\.(md|markdown)$/i.test(name) || /^METADATA$|^PKG-INFO$/.test(name)
      ? (text, source) => {
          markdown(text, source);
          rst(text, source);
        }
      : /\.rst$/i.test(name) || /^readme/i.test(name) || /^(INSTALL|HACKING|CONTRIBUTING)/.test(name)
        ? (text, source) => {
            rst(text, source);
            markdown(text, source);
          }
        : /\.html?$/.test(name)
          ? html
          : /\/man\/man[1-8]\//.test(file) && !/gcloud/.test(name)
            ? manual
            : /\.ya?ml$/.test(name) && /\.github|\.gitlab|travis|circleci/.test(file)
              ? workflow
              : /^(GNU)?[Mm]akefile$|^Dockerfile/.test(name)
                ? recipes
                : undefined;
  if (!kind) return;
  try {
    if (statSync(file).size <= largest) kind(read(file), file);
  } catch (error) {
    process.stderr.write(`${file}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

function visit(folder) {
  let entries = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    process.stderr.write(`${folder}: cannot be read\n`);
  }
  for (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) visit(full);
    else if (entry.isFile()) take(full);
  }
}

/** Names that are programs here: those of the machine, of manual pages, and of the packages looked at. */
function programNames() {
  const names = new Set(
    "docker kubectl helm terraform cargo rustc rustup go node npm npx pnpm yarn bun deno python python3 pip pip3 brew poetry uv conda gem bundle composer mvn gradle dotnet gcloud aws gh make cmake ninja".split(
      " ",
    ),
  );
  for (const folder of ["/usr/bin", "/bin", "/usr/sbin", "/usr/share/man/man1"]) {
    try {
      for (const name of readdirSync(folder)) names.add(name.replace(/\.1(\.gz)?$/, ""));
    } catch {
      process.stderr.write(`${folder}: cannot be read\n`);
    }
  }
  for (const name of binaries) names.add(name);
  return names;
}

const [out, ...folders] = process.argv.slice(2);
if (!out || folders.length === 0) {
  process.stderr.write("usage: everyday-corpus.mjs OUT FOLDER...\n");
  process.exitCode = 2;
} else {
  for (const folder of folders) visit(path.resolve(folder));
  const vocabulary = programNames();
  const items = [...seen.values()].map((item) => ({ ...item, class: classOf(item.command, vocabulary) }));
  writeFileSync(out, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
  process.stderr.write(`${seen.size} commands\n`);
}
