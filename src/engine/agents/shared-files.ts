/** Which subagent has changed a file last: two that change the same one do not know of each other. */
export class SharedFiles {
  readonly #writers = new Map<string, string>();

  /** Of the files that the agent has just changed, those that another one had changed before. */
  changed(agent: string, paths: readonly string[]): { path: string; before: string }[] {
    return paths.flatMap((path) => {
      const before = this.#writers.get(path);
      this.#writers.set(path, agent);
      return before === undefined || before === agent ? [] : [{ path, before }];
    });
  }

  forget(): void {
    this.#writers.clear();
  }
}
