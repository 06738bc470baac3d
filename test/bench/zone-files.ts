import { Operator } from "../../src/postgres/operator/operator.ts";
import { issueKey } from "../../src/services/dns/store.ts";
import { newOrganization } from "../support/gateway.ts";
import { startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds, endedChildrenMilliseconds } from "./cpu-time.ts";
import { largeZone } from "./large-zone.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const RECORDS = 50_000;

const many = largeZone(RECORDS);
/** As many texts of 16,000 bytes as a file of 16 MiB has room for. */
const text = (place: number) => `text-${place} TXT ${`"${"x".repeat(250)}" `.repeat(64)}`;
const TEXTS = Math.floor((16 * 1024 ** 2) / (text(9_999).length + 1));
const large = Array.from({ length: TEXTS }, (_, place) => text(place)).join("\n");

/** How long imports and exports of large zones take, and how long the event loop of the gateway stands still meanwhile. Aims: 10 s, p99 50 ms. */
export async function zoneFiles(): Promise<Measurement[]> {
  const gateway = await startBenchGateway({ NAMESERVER_NAMES: "ns1.selo.test,ns2.selo.test" });
  const operator = await Operator.connect(gateway.adminUrl);
  try {
    const organization = await newOrganization(operator, { plan: "business" });
    const { secret } = await issueKey(operator, organization.id, "bench");
    const ask = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${gateway.url}/v1/orgs/${organization.number}${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
      return text;
    };
    const runs = new Map<
      string,
      {
        readonly ms: number;
        readonly p99: number;
        readonly most: number;
        readonly work: number;
        /** Processor time of Postgres and of the gateway. */
        readonly postgres: number;
        readonly gateway: number;
      }[]
    >();
    const cpu = () => ({
      postgres: cpuMilliseconds(gateway.postmasterPid) + endedChildrenMilliseconds(gateway.postmasterPid),
      gateway: cpuMilliseconds(gateway.pid),
    });
    const measure = async (figure: string, run: () => Promise<unknown>) => {
      await gateway.probe();
      const before = cpu();
      const begun = performance.now();
      await run();
      const ms = performance.now() - begun;
      const after = cpu();
      const { loopP99Ms: p99, loopMaxMs: most, workMaxMs: work } = await gateway.probe();
      runs.set(figure, [
        ...(runs.get(figure) ?? []),
        { ms, p99, most, work, postgres: after.postgres - before.postgres, gateway: after.gateway - before.gateway },
      ]);
    };
    for (let round = 0; round < ROUNDS; round++) {
      const zone = JSON.parse(await ask("POST", "/zones", { name: `zone-${round}.test` })) as { readonly id: number };
      const importOf =
        (bind_file: string, options: object = {}) =>
        () =>
          ask("POST", `/zones/${zone.id}/import`, { bind_file, ...options });
      await measure(`import of ${RECORDS} records`, importOf(many));
      await measure("… again: all are skipped", importOf(many));
      await measure(
        "… with replace: one in ten changes",
        importOf(many.replaceAll(" -all", " ~all"), { replace: true }),
      );
      await measure(`export of ${RECORDS} records`, () => ask("GET", `/zones/${zone.id}/export`));
      await measure(`import of 16 MiB: ${TEXTS.toLocaleString("en")} texts of 16,000 bytes`, importOf(large));
      await ask("DELETE", `/zones/${zone.id}`);
    }
    return [...runs].map(([figure, rounds]) => {
      const of = (part: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[part]));
      const seconds = (part: "ms" | "postgres" | "gateway") => `${(of(part) / 1_000).toFixed(2)} s`;
      return {
        figure,
        value: `${seconds("ms")} (processor: Postgres ${seconds("postgres")}, gateway ${seconds("gateway")})`,
        peer: `aim: 10 s, p99 50 ms; longest wait of a timer ${of("most").toFixed(0)} ms, of them work ${of("work").toFixed(0)} ms`,
        p99: `${of("p99").toFixed(1)} ms of the event loop`,
      };
    });
  } finally {
    await operator.close();
    await gateway.stop();
  }
}
