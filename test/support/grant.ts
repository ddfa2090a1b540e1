// A grant over a real folder, made of the real io parts but without a gate: for tests of the tools alone.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Undo } from "../../src/guard/fence/undo.ts";
import { type GrantParts, sealGrant } from "../../src/guard/contract/sealed-grant.ts";
import { listFolder, moveFile, readBytes, removeFile, writeAtomic } from "../../src/io/files/bytes.ts";
import { findFiles, grepFiles } from "../../src/io/files/search.ts";
import { Jobs } from "../../src/io/process/jobs.ts";
import { runProcess } from "../../src/io/process/run.ts";
import type { ProcessSpec } from "../../src/io/process/spec.ts";
import type { Action } from "../../src/protocol/action.ts";
import type { TodoItem } from "../../src/protocol/event.ts";
import type { Json } from "../../src/protocol/message.ts";
import type { Result } from "../../src/protocol/result.ts";
import { builtinTools } from "../../src/tools/builtin.ts";
import { createRegistry } from "../../src/tools/registry.ts";
import type { Report } from "../../src/tools/tool.ts";

export const registry = createRegistry(builtinTools);

export interface Bench {
  folder: string;
  output: string[];
  todo: TodoItem[];
  answer: string | undefined;
  /** Replaces parts of the grant of the next calls. */
  change: (grant: GrantParts) => GrantParts;
  call(name: string, input: Json): Promise<Result>;
  close(): Promise<void>;
}

const limits = { timeoutMs: 20_000, head: 11_500, tail: 11_500, spillLimit: 100_000_000 };

export function createBench(): Bench {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "fettle-tools-")));
  const folder = path.join(root, "work");
  mkdirSync(folder);
  mkdirSync(path.join(root, "spills"));
  const jobs = new Jobs();
  let spills = 0;
  const spec = (action: Action): ProcessSpec => ({
    argv: action.kind === "program" ? action.argv : ["/bin/bash", "-c", action.kind === "shell" ? action.command : ""],
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", HOME: folder, LC_ALL: "C.UTF-8" },
    ...limits,
    ...(action.kind === "shell" && action.timeoutMs ? { timeoutMs: action.timeoutMs } : {}),
    spill: path.join(root, "spills", `s${++spills}`),
  });
  const bench: Bench = {
    folder,
    output: [],
    todo: [],
    answer: undefined,
    change: (grant) => grant,
    async call(name, input) {
      const parsed = registry.parse(name, input);
      if ("problem" in parsed) throw new Error(parsed.problem);
      const grant = sealGrant(
        bench.change(grantOver({ folder, jobs, action: parsed.action, spec: spec(parsed.action) })),
      );
      return parsed.tool.run(parsed.input as never, grant, reportOf(bench));
    },
    async close() {
      await jobs.closeAll();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return bench;
}

export function reportOf(bench: Pick<Bench, "output" | "todo" | "answer"> = noted()): Report {
  return {
    output: (text) => void bench.output.push(text),
    todo: (items) => void (bench.todo = items),
    ask: () => Promise.resolve(bench.answer),
    recall: (wanted) => Promise.resolve(JSON.stringify(wanted)),
    signal: new AbortController().signal,
  };
}

const noted = () => ({ output: [], todo: [], answer: undefined });

interface World {
  folder: string;
  jobs: Jobs;
  action: Action;
  spec: ProcessSpec;
}

function grantOver({ folder, jobs, action, spec }: World): GrantParts {
  const at = (name: string) => path.resolve(folder, name);
  const root = { root: folder };
  const undo = new Undo();
  return {
    workspace: folder,
    files: {
      read: (name, range) => readBytes(at(name), range),
      list: (name) => listFolder(at(name)),
      find: (find) => findFiles(folder, find, () => false),
      grep: (grep) => grepFiles(folder, grep, () => false),
      write: (name, content) => undo.around(at(name), folder, () => writeAtomic(at(name), content, root)),
      remove: (name) => undo.around(at(name), folder, () => removeFile(at(name), root)),
      async move(from, to) {
        await moveFile(at(from), at(to), root);
        undo.add(at(from), () => moveFile(at(to), at(from), root));
      },
      undo: () => undo.run(),
    },
    process: {
      run: (onOutput) => runProcess({ ...spec, ...(onOutput ? { onOutput } : {}) }, new AbortController().signal),
      start: () => Promise.resolve(jobs.start(spec, { command: "test" }, () => undefined)),
      look: () => Promise.resolve({ ...jobs.peek("job1"), listening: [] }),
    },
    jobs: {
      async read(id) {
        const { job, output, more } = jobs.read(id);
        return Promise.resolve({ ...job, output, more });
      },
      kill: (id) => jobs.kill(id),
    },
    agents: { act: () => Promise.reject(new Error("no subagents in this test")) },
    fetch: () => Promise.reject(new Error("no network in this test")),
    forge: () => Promise.reject(new Error("no remote in this test")),
    git: () => {
      throw new Error("no repository in this test");
    },
    mcp: () => {
      throw new Error("no MCP server in this test");
    },
    async spilled({ offset, limit }) {
      const bytes = await readFile(action.kind === "spill" ? action.handle : "");
      return { text: bytes.subarray(offset, offset + limit).toString("utf8"), size: bytes.length };
    },
    restore: () => Promise.reject(new Error("not in this test")),
  };
}

/** The text that the model reads. */
export const textOf = (result: Result): string =>
  result.parts.map((part) => (part.type === "text" ? part.text : `<${part.mime}>`)).join("\n");
