// What a process that fettle starts may know of fettle's own environment: an allowlist.
import path from "node:path";

const plain = new Set(
  (
    "LANG LANGUAGE TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR TZ USER LOGNAME SHELL CI DEBIAN_FRONTEND " +
    "CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN RUST_BACKTRACE JAVA_HOME JDK_HOME MAVEN_HOME M2_HOME GRADLE_HOME " +
    "GRADLE_USER_HOME ANDROID_HOME ANDROID_SDK_ROOT KOTLIN_HOME SCALA_HOME PYENV_ROOT PYENV_VERSION VIRTUAL_ENV " +
    "CONDA_PREFIX CONDA_DEFAULT_ENV GOPATH GOROOT GOTOOLCHAIN NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME " +
    "BUN_INSTALL ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR RBENV_ROOT GEM_HOME GEM_PATH COMPOSER_HOME DOTNET_ROOT " +
    "GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE " +
    "SDKMAN_DIR GHCUP_INSTALL_BASE_PREFIX OPAMROOT PUB_CACHE FLUTTER_ROOT PKG_CONFIG_PATH CC CXX AR LD"
  ).split(" "),
);
const certificates = new Set(
  "SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE PIP_CERT NODE_EXTRA_CA_CERTS".split(
    " ",
  ),
);
/** Shapes of keys; a value like this is not passed on under any name. */
const keyShapes =
  /\b(sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abposr]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|npm_\w{30,}|eyJ[\w-]{10,}\.[\w-]{10,})|-----BEGIN|:\/\/[^/\s:@]+:[^/\s@]+@/;

const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Folders that programs are taken from: absolute, and not where the agent itself may write. */
function grantedPath(value: string | undefined, writable: readonly string[]): string {
  const folders = (value || systemPath).split(":").filter((folder) => {
    if (!path.isAbsolute(folder) || /(^|\/)node_modules\/\.bin\/?$/.test(folder)) return false;
    const full = path.resolve(folder);
    return !writable.some((root) => full === root || full.startsWith(`${root}/`));
  });
  return [...new Set(folders)].join(":") || systemPath;
}

/** The programs of this folder come before all others. */
export const withPrograms = (env: NodeJS.ProcessEnv, folder: string | undefined): NodeJS.ProcessEnv =>
  folder === undefined ? env : { ...env, PATH: `${folder}:${env["PATH"] || systemPath}` };

export interface EnvironmentOptions {
  /** Becomes TMPDIR. */
  temporary: string;
  home: string;
  /** Folders that grants can write: no program is looked up in them. */
  writable?: readonly string[];
  /** Folders of programs that fettle brings, looked through after all others. */
  brought?: readonly string[];
  /** Certificate settings matter only to a process that may use the network. */
  network?: boolean;
}

/** Never holds keys, tokens, agent sockets, loader or interpreter settings. */
export function grantedEnvironment(env: NodeJS.ProcessEnv, options: EnvironmentOptions): Record<string, string> {
  const granted: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.length > 4096 || value.includes("\0") || keyShapes.test(value)) continue;
    const known = plain.has(name) || /^LC_[A-Z]+$/.test(name) || (options.network && certificates.has(name));
    if (known) granted[name] = value;
  }
  const writable = [...(options.writable ?? []), options.temporary];
  return {
    ...granted,
    PATH: [grantedPath(env["PATH"], writable), ...(options.brought ?? [])].join(":"),
    HOME: options.home,
    TMPDIR: options.temporary,
    PAGER: "cat",
  };
}
