import type { Risk } from "../../protocol/effect.ts";
import type { Tag } from "./tags.ts";

interface VariableRule {
  readonly pattern: RegExp;
  readonly risk: Risk;
  readonly text: string;
  readonly tag: Tag;
}

/** Variables that change which code runs or where secrets go. The first rule that fits decides. */
const variableRules: readonly VariableRule[] = [
  {
    pattern: /^(LD_|DYLD_|GCONV_PATH$|GLIBC_TUNABLES$|LOCPATH$|MALLOC_(?!CHECK_$|PERTURB_$|ARENA_MAX$))/,
    risk: "L3",
    text: "changes what the loader puts into every program",
    tag: "hide",
  },
  {
    pattern: /^(BASH_ENV|ENV|PROMPT_COMMAND|PS0|PS4|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|ZDOTDIR)$/,
    risk: "L3",
    text: "runs code in later shells",
    tag: "hide",
  },
  {
    pattern:
      /^GIT_(SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR|CONFIG.*|ALLOW_PROTOCOL|OBJECT_DIRECTORY|ALTERNATE.*|COMMON_DIR|NAMESPACE)$/,
    risk: "L3",
    text: "makes git run another program",
    tag: "hide",
  },
  {
    pattern: /^(HISTFILE|HISTSIZE|HISTFILESIZE|HISTCONTROL|HISTIGNORE)$/,
    risk: "L3",
    text: "hides what was run",
    tag: "hide",
  },
  {
    pattern: /^FETTLE_/,
    risk: "L3",
    text: "tells fettle how to act",
    tag: "control",
  },
  {
    pattern: /^(SUDO_ASKPASS|SSH_ASKPASS|SSH_AUTH_SOCK|DOCKER_HOST|KUBECONFIG|GNUPGHOME)$/,
    risk: "L3",
    text: "uses credentials or sockets of the machine",
    tag: "escalate",
  },
  {
    pattern:
      /^(.*_PROXY|.*_proxy|CURL_CA_BUNDLE|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|GIT_SSL_NO_VERIFY|PYTHONHTTPSVERIFY)$/,
    risk: "L2",
    text: "changes where network traffic goes or whether it is checked",
    tag: "environment",
  },
  {
    pattern: /^(PATH|CDPATH|IFS|FPATH|MANPATH|PKG_CONFIG_PATH|EXECIGNORE|GLOBIGNORE|SHELL|HOME)$/,
    risk: "L2",
    text: "changes which programs or words the shell finds",
    tag: "environment",
  },
  {
    pattern:
      /^(PAGER|MANPAGER|LESSOPEN|LESSCLOSE|LESS|EDITOR|VISUAL|BROWSER|DIFF|RIPGREP_CONFIG_PATH|FZF_.*|CC|CXX|LDFLAGS|MAKEFLAGS|RUSTC|RUSTC_WRAPPER|RUSTFLAGS|CARGO_.*|GOFLAGS|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|PERL5.*|PERLLIB|RUBYOPT|RUBYLIB|LUA_PATH|LUA_CPATH|LUA_INIT.*|PHPRC|PHP_INI_SCAN_DIR|NODE_OPTIONS|NODE_PATH|NPM_CONFIG_.*|npm_config_.*|PIP_.*|UV_.*|YARN_.*|DENO_.*|BUN_.*|TAR_OPTIONS|GREP_OPTIONS|GZIP|XZ_OPT|RSYNC_RSH|CVS_RSH|SVN_SSH|TERM(INFO|CAP).*|WGETRC|CURL_HOME|PSQLRC|INPUTRC|XDG_.*)$/,
    risk: "L2",
    text: "changes how a program behaves or what it loads",
    tag: "environment",
  },
  {
    pattern:
      /^(PYTEST_(ADDOPTS|PLUGINS)|MYPYPATH|COVERAGE_(RCFILE|PROCESS_START)|MAKEFILES|GNUMAKEFLAGS|GO(ENV|ROOT|PATH|TOOLCHAIN|WORK|PROXY|VCS|MODCACHE|CACHE|BIN)|CGO_.*|RUSTC_WORKSPACE_WRAPPER|RUSTDOC|RUSTDOCFLAGS|RUSTUP_TOOLCHAIN|TS_NODE_.*|NODE_(V8_COVERAGE|REPL_EXTERNAL_MODULE|EXTRA_.*)|BABEL_.*|MOCHA_.*|VITEST_CONFIG|JEST_CONFIG|ESLINT_FLAGS|MAVEN_.*|M2_HOME|JAVA_HOME|GRADLE_.*|ANT_.*|BUNDLE_.*|GEM_(HOME|PATH)|OPENSSL_(CONF|MODULES|ENGINES)|JULIA_.*|ERL_.*|ELIXIR_ERL_OPTIONS|R_(PROFILE|ENVIRON|LIBS).*|TMPDIR|CFLAGS|CXXFLAGS|CPPFLAGS|LD|AR|AS|CPP)$/,
    risk: "L2",
    text: "changes what a check or a build loads",
    tag: "environment",
  },
  {
    pattern:
      /^((RB|PY|NOD|GO|PL|ND|PHP|TF|J|LUA|EX|SWIFT|SCALA)ENV_.*|(ASDF|MISE|RTX|NVM|FNM|VOLTA|PROTO|RVM|SDKMAN|CONDA|MAMBA|_CE|AQUA|VFOX)_.*|N_(PREFIX|CACHE_PREFIX|.*MIRROR)|CONDARC|MAMBARC)$/,
    risk: "L2",
    text: "changes which version of a program runs, or what its manager loads",
    tag: "environment",
  },
  {
    pattern:
      /^PYTHON(?!(UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|IOENCODING|UTF8|NODEBUGRANGES|FAULTHANDLER|OPTIMIZE|TRACEMALLOC|ASYNCIODEBUG)$)/,
    risk: "L2",
    text: "changes what Python loads",
    tag: "environment",
  },
  {
    pattern:
      /^GIT_(?!(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$|TERMINAL_PROMPT$|TRACE.*$|OPTIONAL_LOCKS$|MERGE_AUTOEDIT$|LFS_SKIP_SMUDGE$)/,
    risk: "L2",
    text: "changes what git works on",
    tag: "environment",
  },
];

export const variableRule = (name: string): VariableRule | undefined =>
  variableRules.find((rule) => rule.pattern.test(name));

/** Names that usually hold a secret: printing them is asked about. */
export const secretVariable =
  /(^|_)(KEY|APIKEY|TOKEN|SECRETS?|PASSWORD|PASSWD|PASS|PWD_SECRET|CREDENTIALS?|PRIVATE|AUTH|DSN|DATABASE_URL|CONNECTION_STRING|ACCESS)(_|$)|(API_?KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE)$/i;
