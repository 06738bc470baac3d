import pg from "pg";
import { load, startBenchGateway } from "./bench-gateway.ts";
import { writeManyProofs } from "./many-proofs.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const PROOFS = Number(process.env.BENCH_PROOFS ?? 1_000_000);
/** Of one case in one round. */
const SECONDS = 1;

/** What is asked of GET /proofs, and what its p99 should be below, in milliseconds. */
const cases: readonly { readonly name: string; readonly query: string; readonly aim: number | null }[] = [
  { name: "list, first page", query: "limit=50", aim: 10 },
  { name: "list, from 100,000 on", query: "limit=50&offset=100000", aim: null },
  { name: "list, from 900,000 on", query: "limit=50&offset=900000", aim: null },
  { name: "digest, 8 digits", query: "search=4c6ceafc", aim: 25 },
  { name: "digest, 4 digits", query: "search=4c6c", aim: 25 },
  { name: "a label, one has it", query: "search=agreement%20512341", aim: 25 },
  { name: "part of a label, 200,000 have it", query: "search=contract", aim: 25 },
  { name: "a file name, one has it", query: "search=contract-512344.pdf", aim: 25 },
  { name: "nothing", query: "search=zqzqzq", aim: 25 },
  { name: "one character, common", query: "search=a", aim: 25 },
  { name: "two characters, common", query: "search=co", aim: 25 },
  // No trigram is in these: every proof is looked at.
  { name: "two characters, nothing", query: "search=qz", aim: 25 },
];

/**
 * GET /proofs over HTTP on one connection, of an organization with 1,000,000 live proofs (BENCH_PROOFS for another number),
 * against the aims of the project. Writing them takes minutes and 7 GB in the system's temporary folder.
 */
export async function search(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const admin = new pg.Pool({ connectionString: gateway.adminUrl, max: 1 });
  try {
    await writeManyProofs(admin, gateway.organization.id, PROOFS);
    const ask = (query: string) =>
      load(
        {
          method: "GET",
          url: gateway.url,
          headers: { authorization: `Bearer ${gateway.organization.live}` },
          path: () => `/api/v1/proofs?${query}`,
        },
        1,
        SECONDS,
      );
    const measured = cases.map((each) => ({ ...each, p50: [] as number[], p99: [] as number[] }));
    for (const { query } of measured) await ask(query);
    for (let round = 0; round < ROUNDS; round++) {
      for (const { query, p50, p99 } of measured) {
        const result = await ask(query);
        p50.push(result.p50);
        p99.push(result.p99);
      }
    }
    return measured.map(({ name, aim, p50, p99 }) => ({
      figure: `GET /proofs of ${PROOFS.toLocaleString("en")}: ${name}`,
      value: `${median(p99).toFixed(0)} ms (p99)`,
      peer: aim === null ? "" : `aim: ${aim} ms`,
      ratio: aim === null ? "" : (median(p99) / aim).toFixed(2),
      p50: `${median(p50).toFixed(0)} ms`,
      p99: `${median(p99).toFixed(0)} ms`,
    }));
  } finally {
    await admin.end();
    await gateway.stop();
  }
}
