import pg from "pg";
import { DnsWorld } from "../support/dns-world.ts";
import { startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const ZONES = 50_000;
const PAIR = ["ns1.selo.test", "ns2.selo.test"];
const FIVE_MINUTES = 300;

/**
 * How many delegations one worker checks in a second, against a public DNS on loopback that runs in this process: nine questions for
 * each zone. Aim: one worker keeps 50,000 zones within five minutes, 167 checks a second.
 */
export async function delegations(): Promise<Measurement[]> {
  const world = await DnsWorld.start();
  const gateway = await startBenchGateway({ NAMESERVER_NAMES: PAIR.join(","), ...world.environment });
  const admin = new pg.Pool({ connectionString: gateway.adminUrl });
  try {
    await admin.query(
      `insert into dns.zones (tenant_id, name, status, nameservers, serial, due_at, ns_before)
       select $1, 'bench-' || number || '.test', 'active', $2, 1, 'infinity', '{}' from generate_series(1, $3::integer) as number`,
      [gateway.organization.id, PAIR, ZONES],
    );
    for (let number = 1; number <= ZONES; number++) world.delegate(`bench-${number}.test`, PAIR);
    await gateway.startWorker();
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      world.questions.length = 0;
      await admin.query("update dns.zones set checked_at = null, due_at = clock_timestamp()");
      await admin.query("select graphile_worker.add_job('dns__check_delegations')");
      for (;;) {
        const { rows } = await admin.query<{ left: string; seconds: number }>(
          `select count(*) filter (where checked_at is null) as left,
             extract(epoch from max(checked_at) - min(checked_at))::float8 as seconds from dns.zones`,
        );
        if (Number(rows[0]?.left) === 0) {
          rates.push(ZONES / (rows[0]?.seconds ?? Number.NaN));
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    const rate = median(rates);
    return [
      { figure: "delegation checks by one worker", value: `${rate.toFixed(0)} a second`, peer: "aim: 167" },
      {
        figure: "zones that one worker keeps within five minutes",
        value: (rate * FIVE_MINUTES).toFixed(0),
        peer: `aim: 50000; ${(world.questions.length / ZONES).toFixed(1)} questions for each check`,
      },
    ];
  } finally {
    await admin.end();
    await gateway.stop();
    await world.close();
  }
}
