// The hands of fettle: what writes, deletes, starts, connects or reads files, who holds it, and who may take it.
// Between rooms every such import has its row with a reason that a reader can check; engine, tools and surfaces have none.
// Who holds a hand is a row of held.txt (file | hands | why); who may take it one of used.txt (file | of | names | why, below src).
import { corpusLines } from "../support/corpus.ts";

export interface Holder {
  file: string;
  /** `node:fs writeFileSync`, `process.kill`; `*` and `default` are all of a module. */
  hands: readonly string[];
  why: string;
}
export interface Use {
  file: string;
  of: string;
  /** `*`: loaded late. */
  names: readonly string[];
  why: string;
}
export interface HandTable {
  /** Modules with hands, and the names of them that only look. */
  builtIns: Readonly<Record<string, readonly string[]>>;
  processHands: readonly string[];
  /** Exports of modules with hands that compute, or look at names and settings only. */
  harmless: Readonly<Record<string, readonly string[]>>;
  holders: readonly Holder[];
  uses: readonly Use[];
}

const words = (text: string): string[] => text.split(/,?\s+/);

const looking = words(
  "readFileSync readdirSync lstatSync statSync existsSync accessSync constants realpathSync readlinkSync readSync " +
    "fstatSync statfsSync closeSync",
);

const holder = (row: string): Holder => {
  const [file = "", hands = "", why = ""] = row.split(" | ");
  return { file, hands: hands.split(", "), why };
};
const use = (row: string): Use => {
  const [file = "", of = "", names = "", why = ""] = row.split(" | ");
  return { file: `src/${file}`, of: `src/${of}`, names: words(names), why };
};

const holders = corpusLines(import.meta, "held.txt").map(holder);

const uses = corpusLines(import.meta, "used.txt").map(use);

export const table: HandTable = {
  builtIns: {
    "node:child_process": [],
    "node:fs": looking,
    "node:fs/promises": ["readFile", "readdir"],
    "node:net": ["isIP"],
    "node:tls": [],
    "node:http": [],
    "node:https": [],
    "node:http2": [],
    "node:dgram": [],
    "node:dns": [],
    "node:dns/promises": [],
    "node:sqlite": [],
    "node:vm": [],
    "node:worker_threads": [],
    "node:cluster": [],
    "node:inspector": [],
    "node:module": ["enableCompileCache"],
  },
  processHands: ["kill", "chdir", "getBuiltinModule", "dlopen", "binding", "umask", "setuid", "setgid"],
  harmless: {
    "src/io/places/places.ts": ["gitSettingsPrefix", "places", "projectPlaces", "realFolder", "unwritablePlace"],
    "src/io/journal/key.ts": ["signatureFits", "fingerprintOf", "knownPublicKey"],
    "src/io/places/keychain.ts": ["credentialsFile"],
    "src/io/journal/known-head.ts": ["knownHeadFile", "readKnownHead"],
    "src/io/store/lease.ts": ["bootId"],
    "src/io/journal/lines.ts": ["checkpointFile", "lineBatches", "segmentFile", "segmentNumbers", "keysFile"],
    "src/guard/ledger/ledger.ts": ["LedgerFault"],
    // By a file's name only.
    "src/work/task/checks/definitions.ts": ["decidesChecks", "isDefinition"],
    "src/io/index/sources.ts": ["hashOf"],
    "src/io/index/commits.ts": ["headOf"],
    "src/memory/index/place.ts": ["indexFile"],
    // In memory only.
    "src/io/store/word-index.ts": ["openWordIndex", "splitName"],
  },
  holders,
  uses,
};
