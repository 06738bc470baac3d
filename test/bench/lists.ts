import http from "node:http";
import { type Load, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const SECONDS = 3;
const CONNECTIONS = 8;
const PROOFS = 500;

/** A way to ask, and the one before it in the table that it is compared with. */
interface Way {
  readonly figure: string;
  readonly path: (id: string) => string;
  readonly encoding?: string;
  readonly beside?: string;
}

const list = () => "/api/v1/proofs?limit=50";
const chosen = () => "/api/v1/proofs?limit=50&fields=id,label,registered_at,verify_url";
const one = (id: string) => `/api/v1/proofs/${id}`;
const LIST = "GET /proofs, 50 of them whole";
const ONE = "GET /proofs/{id}";
const ways: readonly Way[] = [
  { figure: LIST, path: list },
  ...["gzip", "br", "zstd"].map((encoding) => ({ figure: `… ${encoding}`, path: list, encoding, beside: LIST })),
  { figure: "… four fields of each", path: chosen, beside: LIST },
  { figure: "… four fields of each, zstd", path: chosen, encoding: "zstd", beside: LIST },
  { figure: ONE, path: one },
  ...["gzip", "br", "zstd"].map((encoding) => ({ figure: `… ${encoding}`, path: one, encoding, beside: ONE })),
];

/** Bytes and times of lists with chosen fields and compressed, beside whole ones; and of one proof. */
export async function lists(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  try {
    const ids = (await registerProofs(gateway, PROOFS)).map(({ id }) => id);
    const nextId = () => ids[Math.floor(Math.random() * ids.length)] ?? "";
    await gateway.analyze();
    const headersOf = ({ encoding }: Way) => ({
      authorization: `Bearer ${gateway.organization.live}`,
      ...(encoding === undefined ? {} : { "accept-encoding": encoding }),
    });
    const ask = (way: Way) =>
      load(
        { method: "GET", url: gateway.url, headers: headersOf(way), path: () => way.path(nextId()) },
        CONNECTIONS,
        SECONDS,
      );
    const bytes: number[] = [];
    for (const way of ways) {
      bytes.push(await bytesOf(`${gateway.url}${way.path(nextId())}`, headersOf(way)));
      await ask(way);
    }
    const rounds: Load[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const loads: Load[] = [];
      for (const way of ways) loads.push(await ask(way));
      rounds.push(loads);
    }
    const of = (place: number, read: (load: Load) => number) =>
      median(rounds.map((loads) => read(loads[place] as Load)));
    return ways.map(({ figure, beside }, place) => {
      const other = ways.findIndex((way) => way.figure === beside);
      const rate = of(place, (load) => load.rate);
      const ratio = median(
        rounds.map((loads) => (loads[place] as Load).rate / ((loads[other] as Load | undefined)?.rate ?? Number.NaN)),
      );
      return {
        figure: `${figure}, answers/s (${CONNECTIONS} connections)`,
        value: `${rate.toFixed(0)} of ${((bytes[place] ?? 0) / 1_000).toFixed(1)} kB`,
        ...(other === -1
          ? {}
          : { peer: `${beside}, ${((bytes[other] ?? 0) / 1_000).toFixed(1)} kB`, ratio: ratio.toFixed(2) }),
        p50: `${of(place, (load) => load.p50).toFixed(1)} ms`,
        p99: `${of(place, (load) => load.p99).toFixed(1)} ms`,
      };
    });
  } finally {
    await gateway.stop();
  }
}

/** Of the body as it is sent. */
async function bytesOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers }, (response) => {
      let bytes = 0;
      if (response.headers["content-encoding"] !== headers["accept-encoding"])
        reject(new Error(`${url} is not answered in ${headers["accept-encoding"]}`));
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("end", () => resolve(bytes));
    });
    request.on("error", reject);
  });
}
