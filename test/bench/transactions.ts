import type pg from "pg";

/** What connections that work without a pause gave. */
export interface TransactionRate {
  /** A second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Repeats a piece of work on so many connections at once for so many seconds. */
export async function repeat(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
  connections: number,
  seconds: number,
): Promise<TransactionRate> {
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect();
      for (let now = performance.now(); now - started < seconds * 1_000; ) {
        await work(client);
        const then = now;
        now = performance.now();
        times.push(now - then);
      }
      client.release();
    }),
  );
  const rate = times.length / ((performance.now() - started) / 1_000);
  times.sort((left, right) => left - right);
  const percentile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { rate, p50: percentile(0.5), p99: percentile(0.99) };
}
