// Path tables: patterns on lower-cased paths with `/` between parts. `match` and `notMatch` are checked by checkPathTables.
import { plainPath } from "./plain-path.ts";

export interface PathTable {
  /** Holds for every path of the table: asking the patterns for the first time takes milliseconds. */
  readonly telling?: RegExp;
  readonly patterns: readonly RegExp[];
  readonly match: readonly string[];
  readonly notMatch: readonly string[];
}

/** Hold settings that are often secret: L2 to read or write, masked for L0 and L1 grants. On base names and paths. */
export const environmentFiles: PathTable = {
  telling:
    /(?:^|\/)\.(?!(?:git|github|gitignore|gitattributes|gitmodules|vscode|editorconfig)(?:\/|$))|\.env$|secret|credential|service|wp-config|database\.yml|local_settings|\.tf(?:vars|state)|kubeconfig/,
  patterns: [
    /(^|\/)\.env(?!(\.[^/]*)?\.?(example|sample|template|dist|defaults?|schema|tpl)$)(\.[^/]*)?$/,
    /(^|\/)[^/]+\.env$/,
    /(^|\/)\.(envrc|npmrc|yarnrc\.yml|pypirc|dev\.vars|flaskenv|s3cfg|boto)$/,
    /(^|\/)(secrets?|credentials?|service[-_]?account[^/]*)\.(json|ya?ml|toml|ini|txt|properties|enc|env|xml|cfg|conf|tfvars)$/,
    /(^|\/)(wp-config\.php|database\.yml|local_settings\.py|application-secrets?\.(ya?ml|properties)|appsettings\.secrets?\.json|[^/]*\.tfvars|[^/]*\.tfstate(\.backup)?|kubeconfig)$/,
  ],
  match: [
    ".env",
    ".env.local",
    "app/.env.production",
    "prod.env",
    "secrets.yaml",
    "credentials.json",
    "terraform.tfstate",
  ],
  notMatch: [".env.example", ".env.sample", ".environment", "src/env.ts", "app.environment.ts", ".env.template", "env"],
};

/** Private keys and credential stores: L3. On absolute, lower-cased paths. */
export const secretFiles: PathTable = {
  telling:
    /\/\.(?!(?:git|github|gitignore|gitattributes|gitmodules|vscode|editorconfig)(?:\/|$))|\/(?:library|appdata)\/|\/(?:login|cookies\.|key|web data|local state|consolehost|recently|id_|wallet|master|private|secring|authorized|known_hosts|ssh|agent|gpg-agent|s\.gpg)|\.(?:pem|key|p12|pfx|jks|kdb|ppk|pkcs|p8|agekey|ovpn|wallet|secring|mobile)|^\/(?:private|etc|proc|dev|run|var|root)/,
  patterns: [
    /\/\.(ssh|gnupg|aws|azure|kube|password-store|oci|chef|putty|electrum|bitcoin|ethereum|monero|solana|near-credentials|fly|terraform\.d|minikube|sops|age|step|vault|thunderbird|mozilla|icedtea|ipmitool)(\/|$)/,
    /\/\.docker\/(config\.json|contexts)/,
    /\/\.config\/(gcloud|gh|hub|glab-cli|op|rclone|doctl|heroku|solana|sops|age|google-chrome|chromium|bravesoftware|microsoft-edge|vivaldi|opera|configstore|helm|stripe|ngrok|netlify|vercel|anthropic|openai|github-copilot|keybase|filezilla|evolution|mcp|1password|bitwarden[^/]*|exercism|composer\/auth\.json|containers\/auth\.json|pip|git\/credentials)(\/|$)/,
    /\/\.local\/share\/(keyrings|kwalletd|gnome-keyring|com\.vercel\.cli|opencode\/auth)/,
    /\/library\/(keychains|cookies|messages|mail|safari|application support\/(google|firefox|bravesoftware|chromium|microsoft edge|1password|slack|discord|com\.apple\.tcc|addressbook))/,
    /\/appdata\/(local|roaming)\/(google|mozilla|microsoft\/(edge|credentials|protect|vault))/,
    /\/(login data|cookies\.sqlite|key4\.db|logins\.json|web data|local state|login\.keychain(-db)?)$/,
    /\/\.(netrc|_netrc|authinfo(\.gpg)?|git-credentials|vault-token|pgpass|my\.cnf|mylogin\.cnf|htpasswd|dockercfg|dockerconfigjson|msmtprc|mutt_certificates|fetchmailrc|pulumi\/credentials\.json|cargo\/credentials(\.toml)?|gem\/credentials|m2\/settings(-security)?\.xml|gradle\/gradle\.properties|subversion\/auth|claude\/\.credentials\.json|claude\.json|codex\/auth\.json|gemini\/oauth_creds\.json|snowsql\/config|databrickscfg|composer\/auth\.json|rhosts|k5login|xauthority|iceauthority|pki|rediscli_auth|sentryclirc|wakatime\.cfg)(\/|$)/,
    /\/(\.[a-z_-]*history|\.histfile|\.lesshst|\.viminfo|\.wget-hsts|\.local\/share\/fish\/fish_history|consolehost_history\.txt|\.recently-used|recently-used\.xbel)$/,
    /\/id_(rsa|dsa|ecdsa|ed25519|xmss)[^/]*(?<!\.pub)$/,
    // Certificates and public keys are for everybody, whatever their suffix.
    /\/(?!(?:[^/]*[-_.])?(?:ca|cacert|certs?|certificate|chain|fullchain|csr|bundle|crl|pub|public)\.pem$)[^/]*\.(pem|key|p12|pfx|jks|keystore|kdbx?|ppk|pkcs12|pkcs8|p8|keytab|agekey|ovpn|wallet|secring|mobileprovision)$/,
    /\/(wallet\.dat|master\.key|private[-_]?key[^/]*\.(txt|asc|pem|der)|secring[^/]*|authorized_keys2?|known_hosts|ssh_host_[a-z0-9]+_key)$/,
    /^(\/private)?\/etc\/(shadow|gshadow|master\.passwd|sudoers(\.d)?|ssl\/private|pki\/tls\/private|krb5\.keytab|letsencrypt|wireguard|openvpn|ppp|security\/opasswd|kubernetes|rancher|docker\/key\.json|ssh\/[^/]*_key|shadow-|gshadow-|tor|postfix\/sasl_passwd|netplan|networkmanager\/system-connections|cloud|apt\/auth\.conf(\.d)?)(\/|$)/,
    /^\/proc\/([^/]+\/)(task\/[^/]+\/)?(environ|mem|maps|auxv|root|cwd|fd|cmdline)(\/|$)/,
    /^\/proc\/(kcore|kmem|kallsyms|sysrq-trigger)$/,
    /^\/dev\/(mem|kmem|port|sd|nvme|hd|vd|xvd|disk|mapper|dm-|loop|mmcblk|input|snapshot|kvm|nbd)/,
    /^(\/var)?\/run\/(secrets|docker\.sock|docker|containerd|podman|crio|user|dbus|credentials|libvirt|snapd\.socket)(\/|$)/,
    /^\/var\/(lib\/(docker|kubelet|mysql|postgresql|samba\/private|cloud|sss|gdm3?|rancher|containerd)|spool\/cron|log\/(auth\.log|secure|audit)|db\/sudo)(\/|$)/,
    /^\/root(\/|$)(?=.*(\.ssh|\.bash_history|\.aws|\.gnupg))/,
    /\/(ssh-[^/]+\/agent\.\d+|\.?agent\.sock|keyring[^/]*\/(ssh|control)|gpg-agent[^/]*|s\.gpg-agent[^/]*)$/,
  ],
  match: [
    "/home/a/.ssh/id_rsa",
    "/home/a/.ssh",
    "/home/a/.aws/credentials",
    "/home/a/.netrc",
    "/home/a/.bash_history",
    "/w/certs/server.pem",
    "/etc/shadow",
    "/proc/1/environ",
    "/proc/self/environ",
    "/home/a/.config/gh/hosts.yml",
    "/home/a/.kube/config",
    "/var/run/docker.sock",
    "/dev/sda",
  ],
  notMatch: [
    "/home/a/src/index.ts",
    "/home/a/.ssh2/x",
    "/w/src/history.ts",
    "/w/docs/keys.md",
    "/proc/cpuinfo",
    "/dev/null",
    "/w/src/key.ts",
    "/w/id_rsa.pub",
    "/w/src/cookies/index.ts",
    "/w/test/localhost-cert.pem",
    "/w/test/ca.pem",
  ],
};

/** Ordinary system files and folders that anybody may read. On absolute paths. */
export const systemReadable: PathTable = {
  patterns: [
    /^\/(usr|bin|sbin|lib|lib32|lib64|nix\/store|opt\/homebrew|sys\/(fs\/cgroup|devices|class|block|bus|module))(\/|$)/,
    /^\/etc\/(os-release|lsb-release|debian_version|alpine-release|redhat-release|issue|timezone|localtime|mime\.types|services|protocols|shells|magic|papersize|locale\.gen|manpath\.config|alternatives(\/.*)?|ca-certificates\.conf|ssl\/(certs(\/.*)?|openssl\.cnf))$/,
    /^\/proc\/(cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|swaps|diskstats|vmstat|sys\/(kernel|vm|fs|net)(\/.*)?)$/,
    /^\/dev\/(null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd(\/\d+)?)$/,
    /^\/proc\/self\/fd\/[012]$/,
  ],
  match: ["/usr/include/stdio.h", "/etc/os-release", "/proc/cpuinfo", "/dev/null"],
  notMatch: ["/etc/passwd", "/home/a/x", "/proc/self/environ", "/dev/sda", "/var/log/syslog", "/"],
};

/** Devices that a redirection may name without writing anything. */
export const writableDevices = /^\/dev\/(null|zero|full|stdout|stderr|stdin|tty|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/;

export const inTable = (table: PathTable, path: string): boolean => {
  const lower = plainPath(path);
  return (table.telling?.test(lower) ?? true) && table.patterns.some((pattern) => pattern.test(lower));
};

/** Examples that a table gets wrong; empty when all hold. */
export function checkPathTables(): string[] {
  const tables = { environmentFiles, secretFiles, systemReadable };
  return Object.entries(tables).flatMap(([name, table]) => [
    ...table.match.filter((path) => !inTable(table, path)).map((path) => `${name} misses ${path}`),
    ...table.notMatch.filter((path) => inTable(table, path)).map((path) => `${name} wrongly has ${path}`),
  ]);
}
