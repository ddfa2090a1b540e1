// Interpreters: which of their options are code, and how their code calls a shell.

export interface Interpreter {
  /** Options whose value is code. */
  readonly code: readonly string[];
  /** Options that take a value which is not code. */
  readonly values: readonly string[];
  /** Options that only ask something. */
  readonly queries: readonly string[];
  /** Calls that hand a string to a shell, for judging that string. */
  readonly shell: RegExp;
}

const shellCalls =
  /(?:\bos\.(?:system|popen|execute)|\bio\.popen|\bpcntl_exec|\bproc_open|\bIO\.popen|\bshell-command|\bspawn|\bexecFileSync|\bsubprocess\.(?:run|call|check_output|check_call|Popen|getoutput)|\bexecSync|\bexec|\bspawnSync|\bsystem|\bshell_exec|\bpassthru|\bpopen|\bqx|`)\s*\(?\s*(?:\[\s*)?f?(["'`])((?:\\.|(?!\1)[\s\S])*)\1/g;

export const interpreters: ReadonlyMap<string, Interpreter> = new Map(
  (
    [
      ["python", ["-c"], ["-W", "-X", "-Q", "--check-hash-based-pycs"], ["-V", "--version", "-VV", "-h", "--help"]],
      [
        "node",
        ["-e", "--eval", "-p", "--print", "-pe"],
        [
          "-r",
          "--require",
          "--import",
          "--loader",
          "--experimental-loader",
          "-C",
          "--conditions",
          "--env-file",
          "--title",
        ],
        ["-v", "--version", "-h", "--help", "--v8-options"],
      ],
      ["ruby", ["-e"], ["-I", "-r", "-C", "-E", "-F", "-W", "-x"], ["-v", "--version", "-h", "--help"]],
      ["perl", ["-e", "-E"], ["-I", "-M", "-m", "-F", "-x"], ["-v", "--version", "-V", "-h", "--help"]],
      [
        "php",
        ["-r", "-R", "-B", "-E"],
        ["-d", "-c", "-f", "-F", "-S", "-t", "-z"],
        ["-v", "--version", "-i", "-m", "-h", "--help", "--ini"],
      ],
      ["lua", ["-e"], ["-l"], ["-v"]],
      ["luajit", ["-e"], ["-l"], ["-v"]],
      ["deno", ["eval"], [], ["--version", "-V", "--help", "-h"]],
      [
        "bun",
        ["-e", "--eval", "-p", "--print"],
        ["-r", "--preload", "--cwd"],
        ["-v", "--version", "--revision", "-h", "--help"],
      ],
      ["Rscript", ["-e"], [], ["--version", "--help"]],
      ["R", ["-e"], ["-f"], ["--version", "--help"]],
      [
        "julia",
        ["-e", "-E", "--eval", "--print"],
        ["-J", "-t", "-p", "--project"],
        ["-v", "--version", "-h", "--help"],
      ],
      ["tclsh", [], [], []],
      ["expect", ["-c"], [], ["-v"]],
      ["osascript", ["-e"], ["-l"], []],
      ["ghci", ["-e"], [], ["--version"]],
      ["runghc", ["-e"], [], ["--version"]],
      ["scala", ["-e"], [], ["-version", "--version"]],
      ["groovy", ["-e"], [], ["-v", "--version"]],
      ["elixir", ["-e", "--eval"], ["-r", "-pa"], ["-v", "--version", "--short-version"]],
      ["erl", ["-eval"], [], ["-version"]],
      ["pwsh", ["-c", "-Command", "-EncodedCommand", "-e", "-enc"], [], ["-v", "--version"]],
      ["powershell", ["-c", "-Command", "-EncodedCommand", "-e", "-enc"], [], []],
      ["gdb", ["-ex", "-eval-command"], ["-x"], ["--version", "-v"]],
      ["sqlite3", ["-cmd"], ["-init"], ["--version", "-version"]],
      ["clojure", ["-e", "-M", "-X"], [], ["--version"]],
      ["racket", ["-e"], [], ["--version"]],
      ["guile", ["-c"], ["-l"], ["--version"]],
      ["swift", ["-e"], [], ["--version"]],
      ["tsx", ["-e", "--eval", "-p"], [], ["--version", "-v"]],
      ["ts-node", ["-e", "--eval", "-p"], [], ["--version", "-v"]],
      ["pypy", ["-c"], ["-W", "-X"], ["--version", "-V"]],
      ["ipython", ["-c"], [], ["--version"]],
      ["vim", ["-c", "--cmd", "+"], ["-u", "-S"], ["--version", "-h"]],
      ["octave", ["--eval"], [], ["--version"]],
      ["octave-cli", ["--eval"], [], ["--version"]],
      ["gnuplot", ["-e"], [], ["--version", "-V"]],
      ["jrunscript", ["-e"], ["-l", "-cp"], ["-help"]],
      ["slsh", ["-e"], [], ["--version"]],
      ["emacs", ["--eval", "-eval", "--execute"], ["-l", "-f"], ["--version", "--help"]],
      ["emacsclient", ["--eval", "-e"], [], ["--version", "--help"]],
      ["crystal", ["eval"], [], ["--version", "-v"]],
      ["v", ["-e"], [], ["version"]],
      ["irb", ["-e"], [], ["--version"]],
      ["knife", ["-E"], [], ["--version"]],
      ["rscript", ["-e"], [], ["--version"]],
      ["latexmk", ["-e"], [], ["--version"]],
    ] as [string, string[], string[], string[]][]
  ).map(([name, code, values, queries]) => [name, { code, values, queries, shell: shellCalls }]),
);
