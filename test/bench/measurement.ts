/** One row of the table, already written as people read it. */
export interface Measurement {
  readonly figure: string;
  readonly value: string;
  readonly peer?: string;
  readonly ratio?: string;
  readonly p50?: string;
  readonly p99?: string;
}

/** How often each figure is measured, its limit and it in turns. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
