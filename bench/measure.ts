// Timing for micro-benchmarks: medians of repeated runs, compared as ratios within one process, as the machine is noisy.

export interface Sample {
  name: string;
  /** Microseconds per operation. */
  median: number;
  p99: number;
  best: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * Runs `work` (`batch` operations at a time) until `rounds` timings are in, after a tenth as many to warm up; `restMs`
 * passes before each timing.
 */
export async function measure(
  name: string,
  work: () => unknown,
  { rounds = 200, batch = 1, restMs = 0 } = {},
): Promise<Sample> {
  for (let round = 0; round < Math.ceil(rounds / 10); round += 1) await work();
  const timings: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    const started = performance.now();
    await work();
    timings.push(((performance.now() - started) * 1000) / batch);
  }
  timings.sort((left, right) => left - right);
  return { name, median: at(timings, 0.5), p99: at(timings, 0.99), best: timings[0] ?? 0 };
}

export function table(title: string, samples: readonly Sample[]): string {
  const base = samples[0]?.median ?? 1;
  const cell = (value: number): string =>
    (value >= 1000 ? `${(value / 1000).toFixed(2)} ms` : `${value.toFixed(1)} µs`).padStart(11);
  const lines = samples.map(
    ({ name, median, p99, best }) =>
      `  ${name.padEnd(44)}${cell(median)}${cell(p99)}${cell(best)}   ${(median / base).toFixed(2)}×`,
  );
  return [`${title.padEnd(46)}     median        p99       best   to first`, ...lines].join("\n");
}
