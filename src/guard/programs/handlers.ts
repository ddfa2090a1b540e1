// Programs that need more than a table row.
import { interpreters } from "./interpreters/table.ts";
import { anyFile, type Handler, note } from "../command-line/context/context.ts";
import { inOwnNetwork, noteOwn } from "../command-line/context/own-network.ts";
import { judgePath } from "../command-line/context/paths.ts";
import { literal, Origin, unknown } from "../command-line/syntax/text.ts";
import { tar, unzip } from "./files/archives.ts";
import { awk } from "./text/awk.ts";
import { container, remote, remoteNames } from "./containers/judge.ts";
import { fileHandlers } from "./files/judge.ts";
import { fd, find } from "./text/find.ts";
import { git } from "./git/judge.ts";
import { interpreter } from "./interpreters/judge.ts";
import { jq } from "./text/jq.ts";
import { curl, decoder, lookup, netcat, openssl, rsync, sender, wget } from "./network/judge.ts";
import { concurrently, crossEnv, measured, rimraf, runScripts, shx } from "./packages/node-tools.ts";
import { build, nodePackages, npx } from "./packages/judge.ts";
import { sed } from "./text/sed.ts";
import { crontab, fettle, gpg, kill } from "./system/judge.ts";
import { shell } from "./shells/judge.ts";
import {
  busybox,
  env,
  escalation,
  flock,
  parallel,
  scriptProgram,
  tracer,
  watch,
  wrapper,
  wrapperNames,
} from "./shells/wrappers.ts";
import { xargs } from "./shells/xargs.ts";
import { multiplexer } from "./shells/multiplexers.ts";
import { shellNames } from "./telltales/telltales.ts";

const each = (names: string, handler: Handler): [string, Handler][] => names.split(" ").map((name) => [name, handler]);

export const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...each([...interpreters.keys()].join(" "), interpreter),
  ...each("nodejs", (argv, at) =>
    interpreter([{ ...argv[0], value: "node" } as (typeof argv)[number], ...argv.slice(1)], at),
  ),
  ...each(wrapperNames.join(" "), wrapper),
  ...each(remoteNames.join(" "), remote),
  ...fileHandlers,
  ...each([...shellNames].join(" "), shell),
  ...each("vi nvim ex view rview rvim vimdiff nvimdiff gvim gview", (argv, at) =>
    interpreter([{ ...argv[0], value: "vim" } as (typeof argv)[number], ...argv.slice(1)], at),
  ),
  ...each("tmux screen zellij dtach abduco", multiplexer),
  ...each("env", env),
  ...each("printenv", (argv, at) =>
    argv.length > 1 ? printed(argv, at) : env([argv[0] as (typeof argv)[number]], at),
  ),
  ...each("xargs", xargs),
  ...each("parallel", parallel),
  ...each("watch", watch),
  ...each("flock", flock),
  ...each("script", scriptProgram),
  ...each("strace ltrace perf valgrind heaptrack entr rr uftrace bpftrace", tracer),
  ...each("busybox toybox", busybox),
  ...each(
    "sudo su doas pkexec runuser gosu su-exec chroot unshare nsenter setpriv bwrap firejail proot fakeroot fakechroot sudoedit run0 please",
    escalation("takes other rights than its own", "escalate"),
  ),
  ...each(
    "ssh sshpass mosh autossh rsh rlogin rexec slogin dbclient plink et",
    escalation("opens a shell on another host", "exfiltrate"),
  ),
  ...each(
    "scp sftp lftp ftp tftp ncftp ncftpput socat telnet websocat smbclient curlftpfs croc magic-wormhole wormhole rz sz lrzsz xh-upload uftp bcp",
    sender("opens a connection that carries data away"),
  ),
  ...each("nc ncat netcat nc.traditional nc.openbsd", netcat),
  ...each("rsync", rsync),
  ...each("curl", curl),
  ...each("wget wget2", wget),
  ...each("aria2c axel lwp-download ftpget lynx w3m links elinks http https xh httpie youtube-dl yt-dlp", wgetLike),
  ...each("ping ping6 dig nslookup host drill resolvectl whois kdig getaddrinfo", lookup),
  ...each("openssl", openssl),
  ...each(
    "base64 base32 basenc xxd gunzip gzip zcat bunzip2 bzip2 bzcat xz unxz xzcat zstd zstdcat lz4 lz4cat uudecode",
    decoder,
  ),
  ...each("finger", lookup),
  ...each("ed red", lineEditor),
  ...each("find gfind", find),
  ...each("fd fdfind", fd),
  ...each("awk gawk mawk nawk", awk),
  ...each("sed gsed", sed),
  ...each("jq yq gojq jaq dasel", jq),
  ...each("git", git),
  ...each("npm pnpm yarn bun", nodePackages),
  ...each("cross-env cross-env-shell", crossEnv),
  ...each("rimraf del-cli premove", rimraf),
  ...each("shx", shx),
  ...each("c8 nyc", measured),
  ...each("run-s run-p npm-run-all npm-run-all2", runScripts),
  ...each("concurrently", concurrently),
  ...each("npx bunx pnpx uvx", npx),
  ...each("make gmake just rake task invoke mage", build),
  ...each("docker podman nerdctl buildah skopeo ctr crictl lxc lxc-start", container),
  ...each("tar bsdtar gtar", tar),
  ...each("unzip", unzip),
  ...each("fettle", fettle),
  ...each("crontab", crontab),
  ...each("kill", kill),
  ...each("gpg gpg2", gpg),
]);

function printed(argv: Parameters<Handler>[0], at: Parameters<Handler>[1]): ReturnType<Handler> {
  const secret = argv.slice(1).some((text) => text.holes || /key|token|secret|pass|auth|credential/i.test(text.value));
  return secret ? env([{ ...argv[0], value: "env" } as (typeof argv)[number]], at) : { shape: "constant", from: 0 };
}

/** `ed`: the file is edited, and the commands that arrive may name others. */
function lineEditor(argv: Parameters<Handler>[0], at: Parameters<Handler>[1]): ReturnType<Handler> {
  note(at, "L2", "program.interpreter", "opens an editor, which can run commands", "interpreter");
  for (const text of argv.slice(1)) if (!text.value.startsWith("-")) judgePath(text, "edit", at);
  for (const line of (at.scope.stdin.text ?? "").split("\n")) {
    const path = /^\s*[\d,$]*[eErfwW]!?\s+(\S+)/.exec(line)?.[1];
    if (path) judgePath(literal(path), /^\s*[\d,$]*[wW]/.test(line) ? "write" : "read", at);
    const code = /^\s*!(.+)/.exec(line)?.[1];
    if (code) at.run.judge.script(code, at);
  }
  return unknown();
}

function wgetLike(argv: Parameters<Handler>[0], at: Parameters<Handler>[1]): ReturnType<Handler> {
  const sends = argv.some((text) =>
    /^(POST|PUT|PATCH|DELETE)$|^(-f|--form|--post-data|--post-file|-post_data)$|@|:=/.test(text.value),
  );
  const addresses = argv.slice(1).filter((text) => /^(https?:\/\/|localhost|127\.|:\d)/.test(text.value));
  if (/^(https?|xh|httpie)$/.test(argv[0]?.value ?? "") && addresses.length === 1 && inOwnNetwork(addresses, at)) {
    for (const text of argv.slice(1)) {
      const file = /@([^@]+)$/.exec(text.value)?.[1];
      if (file !== undefined) judgePath(literal(file), "read", at);
    }
    noteOwn(at);
    return unknown(Origin.network);
  }
  // Where it goes is the first word after the method; a later one that looks like a host is data.
  const [first, second] = argv.slice(1).filter((text) => !text.value.startsWith("-"));
  const url = (/^[A-Z]+$/.test(first?.value ?? "") ? second : first)?.value ?? "";
  const own = /^(https?:\/\/)?((localhost|127\.0\.0\.1|\[::1\])?:(?!237|4243)\d+|localhost)(\/|$)/.test(url);
  const known =
    argv.every((text) => !text.holes && !/@|^--proxy/.test(text.value)) && at.scope.stdin.shape === "nothing";
  if (sends && !(own && known)) return sender("sends data to a host")(argv, at);
  if (/^(aria2c|axel|lwp-download|ftpget|youtube-dl|yt-dlp)$/.test(argv[0]?.value ?? ""))
    at.run.written.set(anyFile, Origin.network);
  return lookup(argv, at);
}
