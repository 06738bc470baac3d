import pg from "pg";
import { createLogger } from "../../src/main/log.ts";
import { remindParticipants } from "../../workers/signature/remind-participants.ts";
import { masterKeys } from "../support/master-keys.ts";
import { taskContext } from "../support/worker.ts";
import { startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const OPEN = 100_000;
const DUE = 1_000;
const ORGANIZATIONS = 10;
/** Of one run, in milliseconds. */
const AIM = 2_000;

/**
 * The minute job that reminds participants: 100,000 open envelopes of ten organizations, all with reminders, of which 1,000 are due; and the same run
 * when nobody is due, as nearly every minute is.
 */
export async function reminders(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const admin = new pg.Pool({ connectionString: gateway.adminUrl, max: 3 });
  try {
    for (let each = 0; each < ORGANIZATIONS; each++) {
      const { id } = await gateway.newOrganization(0);
      await writeOpenEnvelopes(admin, id, each * (OPEN / ORGANIZATIONS));
    }
    await gateway.analyze();
    const { jobs, ...context } = taskContext(admin, masterKeys, createLogger("error"));
    const run = async () => {
      const begun = performance.now();
      await remindParticipants({}, { jobs, ...context });
      return performance.now() - begun;
    };
    const counted = async () =>
      Number((await admin.query("select count(*) from platform.mails where kind = 'envelope_reminder'")).rows[0].count);
    const [due, idle]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      await admin.query(
        "update signature.participants set mailed_at = now() - interval '5 days', reminded_at = null where name like '%00 of the benchmark'",
      );
      const before = await counted();
      due.push(await run());
      const mails = (await counted()) - before;
      if (mails !== DUE) throw new Error(`${mails} reminders were written, and not ${DUE}`);
      idle.push(await run());
    }
    const row = (figure: string, took: readonly number[]): Measurement => ({
      figure,
      value: `${median(took).toFixed(0)} ms`,
      peer: `aim: ${AIM} ms`,
      ratio: (median(took) / AIM).toFixed(2),
    });
    return [
      row(`the reminders of ${OPEN.toLocaleString("en")} open envelopes, ${DUE.toLocaleString("en")} due`, due),
      row("… and nobody due", idle),
    ];
  } finally {
    await admin.end();
    await gateway.stop();
  }
}

/** Writes open envelopes straight into the tables, each with one participant, who was mailed today. */
async function writeOpenEnvelopes(admin: pg.Pool, tenantId: string, first: number): Promise<void> {
  const client = await admin.connect();
  try {
    // Foreign keys are right as they are written here.
    await client.query("set session_replication_role = replica");
    await client.query(
      `with made as (
         insert into signature.envelopes (tenant_id, id, environment, title, status, signing_order, allow_delegation, jurisdiction, field_placement,
           expires_in_days, remind_every_days, sent_at, expires_at, verification_code)
         select $1, platform.uuidv7(), 'live', number::text, 'sent', 'parallel', false, 'br', 'report', 30, 3, now(), now() + interval '30 days', 'CODE-' || number
         from generate_series($2::integer + 1, $2::integer + $3::integer) as number
         returning id, title
       )
       insert into signature.participants (tenant_id, id, environment, envelope_id, name, email, role, auth_method, modality, status, link_version, invited_at, mailed_at)
       select $1, platform.uuidv7(), 'live', made.id, made.title || ' of the benchmark', 'participant@example.com', 'signatario', 'email', 'avancada', 'invited', 1,
         now() - interval '5 days', now()
       from made`,
      [tenantId, first, OPEN / ORGANIZATIONS],
    );
  } finally {
    await client.query("set session_replication_role = origin");
    client.release();
  }
}
