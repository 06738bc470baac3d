// Envelopes that are sent, and their mails, for tests.
import { aSendable, ask, type EnvelopeStage } from "./envelope-stage.ts";

export const send = (stage: EnvelopeStage, id: string) => ask(stage, "POST", `/envelopes/${id}/send`);

/** An envelope with one signatario, sent. */
export async function aSent(stage: EnvelopeStage, body: object = {}) {
  const made = await aSendable(stage, body);
  const { status, text } = await send(stage, made.id);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return made;
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
