export const peersText = `peers
  Side by side against other agents, with the benchmark that lies outside this repository:
    OURS=$PWD/bin/fettle OURS_ARGS='-p --autonomy 5 {prompt}' node ../shared/bench/run.mjs runs --peers ours,codex,pi --rounds 7
    node ../shared/bench/run.mjs report
  At autonomy 2 the fixture's test command is its declared check (package.json: "test"):
    OURS_ARGS='-p {prompt}'
  Peers are installed as that folder's README says. docs/guide/benchmarks.md holds the last figures.`;
