// Envelopes that are sent, and their mails, for tests.
import { createPool } from "../../../src/postgres/pool.ts";
import { composeTestMail } from "../../../workers/platform/compose-mail.ts";
import { mailKindsOf } from "../../../workers/platform/send-mail.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { taskContext } from "../../support/worker.ts";
import { aSendable, ask, type EnvelopeStage } from "./envelope-stage.ts";

export const send = (stage: EnvelopeStage, id: string) => ask(stage, "POST", `/envelopes/${id}/send`);

/** An envelope with one signatario, sent. */
export async function aSent(stage: EnvelopeStage, body: object = {}) {
  const made = await aSendable(stage, body);
  const { status, text } = await send(stage, made.id);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return made;
}

/** What a worker works with, beside a gateway. */
export function workerOf({ selo }: Pick<EnvelopeStage, "selo">) {
  const pool = createPool(
    { url: selo.database.workerUrl, role: "selo_worker", applicationName: "test worker" },
    3,
    () => {},
  );
  return { context: taskContext(pool, masterKeys), end: () => pool.end() };
}
export type Worker = ReturnType<typeof workerOf>;

/** Composes each test mail that waits, as a worker does. */
export async function composeAll(
  { selo, tenantId }: Pick<EnvelopeStage, "selo" | "tenantId">,
  { context }: Worker,
): Promise<void> {
  const task = composeTestMail({ site: selo.config, kinds: await mailKindsOf(selo.services), show: null });
  const { rows } = await selo.database.admin.query<{ id: string }>(
    "select id from platform.mails where tenant_id = $1 and is_withheld and composed_at is null and failed_at is null order by id",
    [tenantId],
  );
  for (const { id } of rows) await task({ tenant_id: tenantId, environment: "test", id }, context);
}

/** The test inbox, oldest first. */
export async function inbox(stage: EnvelopeStage, envelopeId: string) {
  const { body } = await ask(stage, "GET", `/test-inbox?envelope_id=${envelopeId}&limit=200`);
  return body.items.toReversed() as readonly {
    readonly id: string;
    readonly kind: string;
    readonly participant_id: string;
    readonly recipient: string;
    readonly subject: string;
    readonly text: string;
    readonly html: string;
    readonly link: string | null;
  }[];
}

/** The actions of an envelope's chain, oldest first. */
export async function chain({ selo }: Pick<EnvelopeStage, "selo">, subjectId: string): Promise<string[]> {
  const { rows } = await selo.database.admin.query<{ action: string }>(
    "select action from platform.audit_events where subject_id = $1 order by seq",
    [subjectId],
  );
  return rows.map(({ action }) => action);
}
