// What an everyday command is, said without the gate: by its programs' names and subcommands, as a person skims it.
// reading: only tells. check: tests, lints, type-checks, builds. forbidden: what the specification forbids at any level.
// asks: installs, network, commits, deletes, unknown code. noise: no command of a known program. else other.

const readers = new Set(
  (
    "cat tac head tail wc ls dir tree grep egrep fgrep zgrep rg ag ack fd sort uniq cut paste join comm column nl fold fmt pr tr rev diff cmp sdiff stat file du df realpath readlink basename dirname " +
    "which whereis type whatis apropos man date cal seq factor expr uname arch nproc uptime free vmstat lscpu lsb_release getconf locale tput whoami id groups hostname ps pgrep pidof pstree lsof netstat ss jq yq xmllint " +
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum hexdump od strings nm objdump readelf size ldd xxd bat less more echo printf pwd true false test [ [[ cd awk gawk mawk sed find " +
    "zcat bzcat xzcat zless zmore zipinfo lsblk lspci lsusb dmesg w who last users tty cloc tokei exa eza numfmt tsort look shuf dpkg-query c++filt addr2line mount findmnt bc base64 identify pdfinfo ffprobe sleep perldoc pydoc"
  ).split(" "),
);
const subcommands = {
  git: /^(-C \S+ |--no-pager )*(log|diff|show|status|blame|grep|ls-files|ls-tree|rev-parse|rev-list|describe|shortlog|cat-file -t|reflog(?! (expire|delete))|name-rev|merge-base|whatchanged|for-each-ref|show-ref|show-branch|diff-tree|diff-files|diff-index|count-objects|var|version|help|check-ignore|annotate|cherry(?!-)|range-diff|fsck|stash (list|show)|branch( -[avr]+| --\S+)*$|tag( -l.*| --list.*|$)|worktree list|remote$|column|submodule status|notes (list|show)|bisect (log|view)|--version)( |$)/,
  docker:
    /^(ps|images|logs|inspect|version|info|stats|top|port|history|container ls|image ls|volume ls|network ls|compose (ps|logs)|diff|system df)( |$)/,
  kubectl:
    /^(get(?!.*secret)|describe(?!.*secret)|logs|top|version|cluster-info|api-resources|explain|config (get-contexts|current-context))( |$)/,
  npm: /^(ls|list|ll|la|root|prefix|bin|explain|why|help|--version|-v|fund|query|pkg get|run)( |$)(?!\w+ ?)/,
  pnpm: /^(ls|list|why|root|bin|-v|--version)( |$)/,
  yarn: /^(list|why|-v|--version|bin|workspaces info)( |$)/,
  pip: /^(list|show|freeze|check|--version|-V|help)( |$)/,
  cargo: /^(tree|metadata|--version|-V|version|pkgid|locate-project|help|--list)( |$)/,
  go: /^(version|list|doc|env(?! -w)|help)( |$)/,
  rustc: /^(--version|-V|-vV|--print \S+|--explain \S+)$/,
  rustup: /^(show|--version|toolchain list|target list.*|component list.*|which.*)( |$)/,
  tar: /^(-?[jzJav]*t[jzJav]*f?|--list)( |$)/,
  unzip: /^-[lvZt]+( |$)/,
  gzip: /^(-l|-t|-dc|-cd|--list|--test)( |$)/,
  xz: /^(-l|-t|-dc|--list|--test)( |$)/,
  openssl: /^(version|x509 .*-noout.*|dgst.*)( |$)/,
  systemctl: /^(status|list-units|list-unit-files|is-active|is-enabled|show|list-timers)( |$)/,
  ip: /^(-\w+ )*(a|addr|address|link|route|r|neigh)( show.*| list.*)?$/,
  brew: /^(list|ls|info|deps|leaves|config|--version|--prefix.*)( |$)/,
  apt: /^(list|show|policy|search|depends)( |$)/,
  "apt-cache": /./,
  dpkg: /^(-l|-L|-s|-S|--list|--status|--listfiles|--search|--print-architecture)( |$)/,
  rpm: /^-q\w*( |$)/,
  gem: /^(list|environment|env|which|contents|--version)( |$)/,
  terraform: /^(version|--version|fmt -check.*)( |$)/,
  sed: /^(?!.*( -i|^-i|--in-place|^-[nErsz]*i))/,
  awk: /^(?!.*(system|getline|\|\s*"|>\s*"))/,
  find: /^(?!.*-(delete|exec|execdir|ok|okdir|fprint|fprintf|fls))|-exec (grep|wc|ls|cat|head|file|stat|md5sum|sha\d+sum|du|basename|echo)\b(?!.*-delete)/,
  sort: /^(?!.*(-o|--output|--compress))/,
  date: /^(?!.*(-s\b|--set))/,
  dmesg: /^(?!.*(-c\b|-C\b|--clear))/,
  mount: /^(-l|-t \w+)?$/,
  hostname: /^(-\w)?$/,
  shuf: /^(?!.*-o)/,
  ldd: /^\/(usr|bin)/,
  identify: /^(?!.*write)/,
};
const version = /^\S+ (--version|-V|--help|-h)$|^(node|npm|yarn|pnpm|ruby|php|perl|gcc|make|java|mvn) -v(ersion)?$/;
subcommands.python3 = subcommands.python = /^(--version|-V)$/;
subcommands.pip3 = subcommands.pip;
subcommands.gawk = subcommands.mawk = subcommands.awk;

/** Pieces between `|`, `&&`, `||` and `;`; undefined where it is not plain. */
export function pieces(command) {
  const found = [];
  let piece = "";
  let quote;
  for (let at = 0; at < command.length; at++) {
    const char = command[at];
    if (quote) {
      piece += char;
      if (char === "\\" && quote === '"') piece += command[++at] ?? "";
      else if (char === quote) quote = undefined;
    } else if (char === "'" || char === '"') {
      quote = char;
      piece += char;
    } else if (char === "\\") piece += char + (command[++at] ?? "");
    else if (/^(&&|\|\|)/.test(command.slice(at, at + 2))) {
      found.push(piece);
      piece = "";
      at++;
    } else if (char === "|" || char === ";" || char === "\n") {
      found.push(piece);
      piece = "";
    } else if (char === "&" && !/[><]$/.test(piece) && command[at + 1] !== ">") return undefined;
    else piece += char;
  }
  if (quote) return undefined;
  found.push(piece);
  return found.map((one) => one.trim()).filter(Boolean);
}

const elsewhere =
  /(^|[ ="'])(\/(?!dev\/null|usr\/|proc\/(cpuinfo|meminfo|version)|bin|lib|etc\/os-release)[\w.*]|\/( |$)|~|\$HOME|\.\.\/)|\.env\b(?!\.ex)|\.ssh|id_rsa|\.pem|\.npmrc|\.netrc|secret|credential|passw|token|https?:/;

export function isReading(command) {
  const plain = command.replaceAll(/\s*(2>&1|[12&]?>\s*\/dev\/null|>&2|1>&2|<\s*\/dev\/null)/g, "");
  const bare = plain.replaceAll(/'[^']*'|"[^"]*"|\\./g, "Q");
  if (/>(?!\()|`|\$\(|<\(|<<|\$[@*1-9]/.test(bare) || /"[^"]*(\$\(|`|\$[@*1-9])/.test(plain)) return false;
  const all = pieces(plain);
  if (!all || all.length === 0) return false;
  let tells = false;
  for (const piece of all) {
    let words = piece.split(/\s+/);
    while (/^(LC_ALL|LANG|LC_\w+|NO_COLOR|TZ)=/.test(words[0] ?? "")) words = words.slice(1);
    if (/^(time|!|then|do|else|if|while|until)$/.test(words[0] ?? "")) words = words.slice(1);
    if (/^(fi|done)$/.test(words[0] ?? "fi") || words[0] === "for") continue;
    if (words[0] === "xargs") {
      words = words.slice(1);
      while (words[0]?.startsWith("-")) words = words.slice(/^-[InLPsEd]$/.test(words[0]) ? 2 : 1);
      if (words.length === 0) words = ["echo"];
    }
    const [program = "", ...rest] = words;
    const line = rest.join(" ");
    const known =
      version.test(words.join(" ")) || (subcommands[program] ? subcommands[program].test(line) : readers.has(program));
    if (!known || elsewhere.test(piece)) return false;
    if (!/^(echo|cd|true|printf|\[|test|sleep)$/.test(program)) tells = true;
  }
  return tells;
}

const check =
  /^((npm|pnpm|yarn|bun)( run(-script)?)? (test|lint|build|check|types?|typecheck|tsc|unit|e2e|coverage|cover|format|fmt|eslint|prettier|compile|bundle|spec|ci|bench)([:-](?!.*(publish|deploy|release|watch|push))[\w:-]+)?|npm t|(npx |pnpm exec |yarn |pnpm )?(eslint|prettier|tsc|tsgo|jest|vitest|mocha|ava|tap|tape|c8|nyc|xo|standard|biome (check|lint|ci|format)|oxlint|tsd|stylelint|rollup|webpack|vite build|esbuild|tsup|tsdown|babel|borp|jasmine|uvu)|cargo (\+\S+ )?(test|build|check|clippy|fmt|doc|bench)|go (test|build|vet|fmt)|(python3? -m )?(pytest|mypy|flake8|ruff|black|isort|pylint|unittest|tox|nox)|make (test|check|lint|build|all|fmt|format|docs?|coverage)|make|mvn (-\S+ )*(test|package|verify|compile|clean (test|package|verify))|(gradle|\.\/gradlew) (test|build|check)|ctest|cmake --build|ninja|node --test|deno test|bun test|bundle exec (rspec|rake)|rspec|rubocop|composer test|phpunit|\.\/vendor\/bin\/phpunit|dotnet (test|build)|mix test|swift (test|build)|flutter test)( |$)/;
const forbidden =
  /(^|[;&|( ])(sudo|su|doas|fakeroot|unshare|chroot|ssh|scp|sftp|nc|ncat|mount|shutdown|reboot|chown|useradd|passwd|mkfs\S*|fdisk|at|busctl|gdbus|loginctl|systemd-run|timedatectl|setcap|iptables|tc|modprobe|insmod|pivot_root|mail|sendmail|pass|op|vault|keyctl|ssh-keygen|ssh-add|gpg|eval|docker run.*(--privileged|-v[ =]?(\/|~)))( |$)|\| *(sudo )?(ba|z|da)?sh( |$)|push.*( -f| --force|--mirror|--delete)|reset --hard|git clean|filter-branch|git (prune|daemon|fast-import|update-ref|svn|send-email|credential)|rm -rf? (\/|~|\$HOME)|>>? *(~|\$HOME|\/(?!dev\/null|tmp\/))|(cp|mv|ln|tee|mkdir|install|touch|chmod)( -\S+)*( \S+)* (~|\$HOME|\/(?!dev\/null|tmp\/)|\.\.\/)|\.git\/(hooks|config)|git config .*(core\.(pager|editor|hookspath|sshcommand|gitproxy)|credential|alias|trailer|filter|url|proxy|textconv|cmd)|rsync.*\S:|-o (\/|~|\$HOME)|(-O|--output[= ])(\/|~|\$HOME)|token|PRIVATE KEY|\.ssh\/|id_rsa|LD_(PRELOAD|LIBRARY_PATH|PROFILE\w*)=|GIT_\w+=|export PS4|aws configure|openssl (s_client|req|pkcs12|genrsa|genpkey)|\/dev\/(sd|hd|tcp|udp|wd|\{)|kill (-\S+ )?1$/;
const asks =
  /(^|[;&|( ])(npm (i|install|ci|uninstall|update|publish|link|exec|init|login|adduser|version|start|audit|view|outdated|pack)|npx|pnpx|bunx|pip3? (install|uninstall|download)|(yarn|pnpm|bun)( (add|install|remove|global|dlx|up|publish|create))?$|(yarn|pnpm|bun) (add|install|remove|global|dlx|up|publish|create)|cargo (install|add|publish|run|update|new|init)|rustup (update|install|target add|component add|toolchain install|default)|gem install|bundle( install)?$|brew (install|upgrade|update|tap)|apt(-get)? |dnf|yum|pacman|curl|wget|git (clone|pull|fetch|push|commit|merge|rebase|checkout|switch|restore|stash|am|apply|cherry-pick|revert|mv|rm|init|tag|remote|config|submodule|bundle|archive|format-patch|worktree|reset|bisect|notes|replace|gc|repack|branch)|rm|rimraf|del-cli|premove|mv|rmdir|docker (run|build|pull|push|exec|compose|start|stop)|kubectl (apply|create|delete)|node|deno (run|task|eval)|python3?|ruby|perl|php|bash|sh|zsh|java|tsx|ts-node|\.{0,2}\/\S+|make install|gcc|cc|clang|rustc|javac|go (run|install|get|generate)|conda (install|create)|poetry (install|add)|uv (sync|add|pip)|pipx|tar|unzip|zip|patch|export|source|\.|export|env|serve|http-server|vite|next|webpack-dev-server|watch|nodemon|changeset|release-it|semantic-release|husky|lerna|gcloud|aws|az|gh)( |$)/;

export function classOf(command, vocabulary) {
  if (forbidden.test(command)) return "forbidden";
  if (isReading(command)) return "reading";
  const all = pieces(command);
  const heads = (all ?? [command]).map(
    (piece) =>
      piece
        .replace(/^(\w+=\S*\s+)+/, "")
        .replace(/^[({!]\s*/, "")
        .split(/\s+/)[0] ?? "",
  );
  const shell =
    /^(if|for|while|until|do|done|then|else|elif|fi|case|esac|exit|set|return|break|continue|:|true|false|local|shift|export|unset|cd|echo|\[|\[\[|\(|\{|\}|)$/;
  if (
    !heads.every(
      (head) => shell.test(head) || vocabulary.has(head) || /^\.{0,2}\/[\w./-]+$/.test(head) || /^\w+\+?=/.test(head),
    )
  )
    return "noise";
  if (all?.every((piece) => check.test(piece.replace(/^(\w+=\S*\s+|cross-env )+/, "")))) return "check";
  return asks.test(command) ? "asks" : "other";
}
