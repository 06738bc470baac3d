// Requests for what an organization has of envelopes, for the matrix of isolation.ts.

import { randomUUID } from "node:crypto";
import { workerOf } from "../../support/compose-mails.ts";
import { graphql } from "../../support/graphql-client.ts";
import type { Asked, RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { formOf, storedDocument } from "../../support/uploads.ts";
import { complete, completing, deliver, evidenceOf, sentWith } from "./completion-stage.ts";
import { UNREACHABLE } from "./connector-isolation.ts";
import {
  aDocument,
  aField,
  aParticipant,
  aSendable,
  ask,
  contentOf,
  type EnvelopeStage,
  openStage,
  withFields,
} from "./envelope-stage.ts";
import { aLabel, put } from "./label-stage.ts";

const ENVELOPE =
  "id title status documents(first: 5) { nodes { documentId } } participants(first: 5) { nodes { id name cpf } } fields(first: 5) { nodes { id participantId } } labels(first: 5) { nodes { labelId name } }";

/** An envelope of the owner's in live, with all that an envelope has. */
interface Whole extends Awaited<ReturnType<typeof withFields>> {
  readonly fieldId: string;
  readonly otherDocumentId: string;
  readonly labelId: string;
}
/** The one of this question of GraphQL. */
let whole: Whole;
type Sendable = Awaited<ReturnType<typeof aSendable>>;
/** An envelope that can be sent, and one that is out and whose participant can be reminded. */
let sendable: Sendable | null = null;
let sent: Sendable | null = null;

const stageOf = ({ selo, owner }: Stage): EnvelopeStage => ({
  selo,
  tenantId: owner.id,
  token: owner.live,
  environment: "live",
});

async function aWhole(stage: Stage): Promise<Whole> {
  const own = stageOf(stage);
  const made = await withFields(own);
  await ask(own, "PATCH", `/envelopes/${made.id}`, { title: stage.marker });
  await ask(own, "PATCH", `/envelopes/${made.id}/participants/${made.participantId}`, { name: stage.marker });
  const { id: fieldId } = await aField(own, made.id, made.place);
  const { id: labelId } = await aLabel(own, `${stage.marker} ${randomUUID().slice(0, 8)}`);
  await put(own, made.id, [labelId]);
  return { ...made, fieldId, labelId, otherDocumentId: await aDocument(own) };
}

/** Makes the two envelopes anew only where a question used them up: a page of events shows no more than fifty. */
async function freshen(stage: Stage): Promise<{ readonly sendable: Sendable; readonly sent: Sendable }> {
  const own = stageOf(stage);
  const statusOf = async (made: Sendable | null) =>
    made === null ? null : (await ask(own, "GET", `/envelopes/${made.id}`)).body.status;
  const aReady = () => aSendable(own, { title: stage.marker });
  if (sendable === null || (await statusOf(sendable)) !== "ready") sendable = await aReady();
  if (sent === null || (await statusOf(sent)) !== "sent") {
    sent = await aReady();
    await ask(own, "POST", `/envelopes/${sent.id}/send`);
  }
  await stage.selo.database.admin.query("update signature.participants set reminded_at = null where id = $1", [
    sent.participantId,
  ]);
  return { sendable, sent };
}

/** The field of a file that a participant of the envelope delivered. */
let deliveredFieldId: string;
async function aDelivered(stage: Stage, { id, documentId }: Whole): Promise<string> {
  const own = stageOf(stage);
  const { id: participant_id } = await aParticipant(own, id, { role: "aprovador" });
  const field = await aField(own, id, { ...WHOLE, participant_id, document_id: documentId, type: "anexo" });
  const { admin } = stage.selo.database;
  await admin.query("update signature.participants set status = 'completed' where id = $1", [participant_id]);
  await admin.query(
    `insert into signature.attachments (tenant_id, field_id, environment, envelope_id, participant_id, object_id, filename, type, size, sha256)
     select tenant_id, id, environment, envelope_id, participant_id, gen_random_uuid(), 'a.png', 'image/png', 1, sha256('a'::bytea)
     from signature.fields where id = $1`,
    [field.id],
  );
  return field.id;
}

/** A record of the participant, as far as lists show it: nobody signed it. */
async function aRecord({ selo }: Stage, { participantId }: Pick<Whole, "participantId">): Promise<string> {
  const { rows } = await selo.database.admin.query<{ id: string }>(
    `insert into signature.signature_records (tenant_id, id, environment, envelope_id, participant_id, evidence, platform_key_id, platform_signature,
       platform_pq_key_id, platform_signature_pq, signed_at)
     select tenant_id, platform.uuidv7(), environment, envelope_id, id, '{}', 'x', decode(repeat('00', 64), 'hex'), 'x', decode(repeat('00', 4627), 'hex'), now()
     from signature.participants where id = $1 returning id`,
    [participantId],
  );
  return rows[0]?.id ?? "";
}
const digestOf = async (stage: Stage, { documentId }: Whole): Promise<string> =>
  (await ask(stageOf(stage), "GET", `/documents/${documentId}`)).body.sha256;

let recordId: string;
let digest: string;
let code: string;
const codeOfSent = async (stage: Stage): Promise<string> =>
  (await ask(stageOf(stage), "GET", `/envelopes/${(await freshen(stage)).sent.id}`)).body.verification_code;

/** Digest of a sealed PDF. Its organization is another one: the owner's rows are removed between questions, and signed records stay. */
const sealed = new WeakMap<Stage["selo"], string>();
async function sealedOf(stage: Stage): Promise<string> {
  // By its gateway: files that share a process have one each.
  const known = sealed.get(stage.selo);
  if (known !== undefined) return known;
  const own = await openStage(stage.selo, "live");
  const worker = workerOf(own);
  try {
    const { id, links } = await sentWith(own, [{ body: { name: stage.marker } }], { title: stage.marker });
    await complete(own, links[0]);
    await completing(own, id, worker);
    const digest = (await evidenceOf(own, id)).documents[0].final_sha256 as string;
    sealed.set(stage.selo, digest);
    return digest;
  } finally {
    await worker.end();
  }
}

const WHOLE = { page: 1, x: 0, y: 0, width: 0.5, height: 0.5 };
type Make = (made: Whole, stage: Stage) => Asked;
const onWhole =
  (make: Make) =>
  async (stage: Stage): Promise<Asked> =>
    make(await aWhole(stage), stage);
const marked = ({ marker }: Stage) => [marker];
const field = (
  document: (stage: Stage) => string,
  shows: RootField["shows"],
  more: Partial<RootField> = {},
): RootField => ({
  scope: "envelopes:write",
  ask: (stage, token) => graphql(stage.selo, token, document(stage)),
  shows,
  ...more,
});
const ofOne = { isOfOne: true } as const;
const done = () => ['"done":true'];

export const envelopeIsolation: Required<Pick<ServiceIsolation, "rest" | "graphql" | "renew" | "secretsNow">> = {
  rest: {
    "POST /envelopes": () => ({ path: "/envelopes", body: { title: "another" }, shows: ["another"] }),
    "GET /envelopes": onWhole(({ id }, { marker }) => ({ path: `/envelopes?search=${marker}`, shows: [id, marker] })),
    "GET /envelopes/{id}": onWhole(({ id, documentId, participantId, fieldId }, { marker }) => ({
      path: `/envelopes/${id}`,
      shows: [marker, documentId, participantId, fieldId],
    })),
    "POST /labels": () => ({ path: "/labels", body: { name: randomUUID() }, shows: [] }),
    "GET /labels": onWhole(({ labelId }, { marker }) => ({ path: "/labels?limit=200", shows: [labelId, marker] })),
    "GET /labels/{id}": onWhole(({ labelId }, { marker }) => ({
      path: `/labels/${labelId}`,
      shows: [labelId, marker],
    })),
    "PATCH /labels/{id}": onWhole(({ labelId }, { marker }) => ({
      path: `/labels/${labelId}`,
      body: { color: "#00ff00" },
      shows: [labelId, marker],
    })),
    "DELETE /labels/{id}": onWhole(({ labelId }) => ({ path: `/labels/${labelId}`, shows: [] })),
    "PUT /envelopes/{id}/labels": onWhole(({ id, labelId }, { marker }) => ({
      path: `/envelopes/${id}/labels`,
      body: { label_ids: [labelId] },
      shows: [marker, labelId],
    })),
    "PATCH /envelopes/{id}": onWhole(({ id }, { marker }) => ({
      path: `/envelopes/${id}`,
      body: { message: "changed" },
      shows: [marker],
    })),
    "DELETE /envelopes/{id}": onWhole(({ id }) => ({ path: `/envelopes/${id}`, shows: [] })),
    "POST /envelopes/{id}/documents": onWhole(({ id, otherDocumentId }) => ({
      path: `/envelopes/${id}/documents`,
      body: { document_id: otherDocumentId },
      shows: [otherDocumentId],
    })),
    "PATCH /envelopes/{id}/documents/{document_id}": onWhole(({ id, documentId }) => ({
      path: `/envelopes/${id}/documents/${documentId}`,
      body: { position: 1 },
      shows: [documentId],
    })),
    "DELETE /envelopes/{id}/documents/{document_id}": onWhole(({ id, documentId }) => ({
      path: `/envelopes/${id}/documents/${documentId}`,
      shows: [],
    })),
    "POST /envelopes/{id}/participants": onWhole(({ id }, { marker }) => ({
      path: `/envelopes/${id}/participants`,
      body: { name: marker, email: "other@example.com" },
      shows: [marker],
    })),
    "PATCH /envelopes/{id}/participants/{participant_id}": onWhole(({ id, participantId }, { marker }) => ({
      path: `/envelopes/${id}/participants/${participantId}`,
      body: { email: "changed@example.com" },
      shows: [marker],
    })),
    "DELETE /envelopes/{id}/participants/{participant_id}": onWhole(({ id, participantId }) => ({
      path: `/envelopes/${id}/participants/${participantId}`,
      shows: [],
    })),
    "POST /envelopes/{id}/fields": onWhole(({ id, place }) => ({
      path: `/envelopes/${id}/fields`,
      body: { ...place, ...WHOLE },
      shows: [place.participant_id],
    })),
    "PATCH /envelopes/{id}/fields/{field_id}": onWhole(({ id, fieldId }) => ({
      path: `/envelopes/${id}/fields/${fieldId}`,
      body: { required: false },
      shows: [fieldId],
    })),
    "DELETE /envelopes/{id}/fields/{field_id}": onWhole(({ id, fieldId }) => ({
      path: `/envelopes/${id}/fields/${fieldId}`,
      shows: [],
    })),
    "GET /envelopes/{id}/evidence": onWhole(({ id, participantId }, { marker }) => ({
      path: `/envelopes/${id}/evidence`,
      shows: [marker, participantId],
    })),
    "GET /envelopes/{id}/dossier": onWhole(({ id }) => ({
      path: `/envelopes/${id}/dossier`,
      shows: ["no dossier until it has ended"],
      status: 409,
    })),
    "POST /envelopes/{id}/calculate-cost": onWhole(({ id }) => ({
      path: `/envelopes/${id}/calculate-cost`,
      shows: ['"signature_credits" : 1,'],
    })),
    "POST /envelopes/{id}/send": async (stage) => {
      const { id } = (await freshen(stage)).sendable;
      return { path: `/envelopes/${id}/send`, shows: [stage.marker] };
    },
    "POST /envelopes/{id}/cancel": async (stage) => {
      const { id } = (await freshen(stage)).sent;
      return { path: `/envelopes/${id}/cancel`, body: {}, shows: [stage.marker] };
    },
    "POST /envelopes/{id}/remind": async (stage) => {
      const { id, participantId } = (await freshen(stage)).sent;
      return { path: `/envelopes/${id}/remind`, body: {}, shows: [participantId] };
    },
    "GET /public/envelopes/{code}": async (stage) => ({
      path: `/public/envelopes/${await codeOfSent(stage)}`,
      shows: ['"status":"sent"'],
    }),
    "POST /public/envelopes/verify": async (stage) => ({
      path: "/public/envelopes/verify",
      body: { sha256: await sealedOf(stage) },
      shows: ['"status":"completed"'],
    }),
    "GET /signatures": async (stage) => {
      const made = await aWhole(stage);
      const shows = [await aRecord(stage, made), made.participantId, stage.marker];
      return { path: `/signatures?envelope_id=${made.id}`, shows };
    },
    "GET /signatures/{id}": async (stage) => {
      const made = await aWhole(stage);
      const id = await aRecord(stage, made);
      return { path: `/signatures/${id}`, shows: [id, made.participantId, stage.marker] };
    },
    "POST /signatures/validate": async (stage) => {
      const made = await aWhole(stage);
      return {
        path: "/signatures/validate",
        body: { sha256: await digestOf(stage, made) },
        shows: [made.id, made.documentId],
      };
    },
    "POST /signatures/validate-file": async (stage) => {
      const made = await aWhole(stage);
      return {
        path: "/signatures/validate-file",
        form: formOf(contentOf(made.documentId, 2)),
        shows: [made.id, made.documentId],
      };
    },
    "GET /envelopes/{id}/attachments/{field_id}": async (stage) => {
      const made = await aWhole(stage);
      return { path: `/envelopes/${made.id}/attachments/${await aDelivered(stage, made)}`, shows: ["/files/"] };
    },
    "GET /envelopes/{id}/documents/{document_id}/download": onWhole(({ id, documentId }) => ({
      path: `/envelopes/${id}/documents/${documentId}/download`,
      shows: ["no final PDF yet"],
      status: 409,
    })),
  },
  async renew(stage) {
    whole = await aWhole(stage);
    deliveredFieldId = await aDelivered(stage, whole);
    digest = await digestOf(stage, whole);
    // Some questions take away the whole envelope, or its participant.
    recordId = await aRecord(stage, (await freshen(stage)).sent);
    code = await codeOfSent(stage);
    await sealedOf(stage);
  },
  secretsNow: () => [whole.participantId, whole.fieldId, whole.labelId, sent?.participantId ?? whole.fieldId],
  graphql: {
    envelope: field(
      () => `{ envelope(id: "${whole.id}") { ${ENVELOPE} } }`,
      (stage) => [stage.marker, whole.fieldId],
      {
        scope: "envelopes:read",
      },
    ),
    envelopes: field(
      () => `{ envelopes(first: 20) { nodes { ${ENVELOPE} } edges { cursor } } }`,
      (stage) => [stage.marker, whole.fieldId],
      {
        scope: "envelopes:read",
      },
    ),
    envelopeCost: field(
      () => `{ envelopeCost(id: "${whole.id}") { signatureCredits balances { signature } } }`,
      () => ['"signatureCredits":1'],
      {
        scope: "envelopes:read",
        ...ofOne,
      },
    ),
    envelopeEvidence: field(
      () =>
        `{ envelopeEvidence(id: "${whole.id}") { envelope { title } documents { filename } participants { id name cpf } events { id details } } }`,
      (stage) => [stage.marker, whole.participantId],
      { scope: "envelopes:read", ...ofOne },
    ),
    signature: field(
      () => `{ signature(id: "${recordId}") { id participantId participant { name email } } }`,
      () => [sent?.participantId ?? "", recordId],
      { scope: "signatures:read" },
    ),
    signatures: field(
      () =>
        `{ signatures(first: 20) { nodes { id participantId participant { name email } } edges { cursor } totalCount } }`,
      () => [sent?.participantId ?? "", recordId],
      { scope: "signatures:read" },
    ),
    digestValidation: field(
      () => `{ digestValidation(sha256: "${digest}") { verdict known signatures { format } } }`,
      () => [whole.documentId],
      { scope: "signatures:validate" },
    ),
    publicEnvelope: field(
      () => `{ publicEnvelope(code: "${code}") { status environment documents { sha256 } } }`,
      () => ['"environment":"LIVE"'],
      { scope: null },
    ),
    verifiedEnvelope: field(
      (stage) => `{ verifiedEnvelope(sha256: "${sealed.get(stage.selo)}") { status participants { role } } }`,
      () => ['"status":"COMPLETED"'],
      { scope: null },
    ),
    sendEnvelope: field(
      () => `mutation { sendEnvelope(input: {id: "${sendable?.id}"}) { envelope { id title } } }`,
      marked,
      { scope: "envelopes:send", ...ofOne },
    ),
    cancelEnvelope: field(
      () => `mutation { cancelEnvelope(input: {id: "${sent?.id}"}) { envelope { id title } } }`,
      marked,
      { scope: "envelopes:cancel", ...ofOne },
    ),
    remindParticipants: field(
      () => `mutation { remindParticipants(input: {id: "${sent?.id}"}) { reminded } }`,
      () => [sent?.participantId ?? ""],
      { scope: "envelopes:send", ...ofOne },
    ),
    attachmentDownload: field(
      () => `{ attachmentDownload(id: "${whole.id}", fieldId: "${deliveredFieldId}") { url } }`,
      () => ["/files/"],
      { scope: "envelopes:read", ...ofOne },
    ),
    finalDocumentDownload: field(
      () => `{ finalDocumentDownload(id: "${whole.id}", documentId: "${whole.documentId}") { url } }`,
      () => [],
      { scope: "envelopes:read", refused: [409, "conflict"], ...ofOne },
    ),
    label: field(
      () => `{ label(id: "${whole.labelId}") { id name color } }`,
      (stage) => [stage.marker, whole.labelId],
      { scope: "labels:read" },
    ),
    labels: field(
      () => "{ labels(first: 200) { nodes { id name color } edges { cursor } totalCount } }",
      (stage) => [stage.marker, whole.labelId],
      { scope: "labels:read" },
    ),
    createLabel: field(
      () => `mutation { createLabel(input: {name: "${randomUUID()}"}) { label { id name } } }`,
      () => ["createLabel"],
      { scope: "labels:write" },
    ),
    updateLabel: field(
      () => `mutation { updateLabel(input: {id: "${whole.labelId}", color: "#00ff00"}) { label { id name } } }`,
      marked,
      { scope: "labels:write", ...ofOne },
    ),
    deleteLabel: field(() => `mutation { deleteLabel(input: {id: "${whole.labelId}"}) { done } }`, done, {
      scope: "labels:write",
      ...ofOne,
    }),
    setEnvelopeLabels: field(
      () =>
        `mutation { setEnvelopeLabels(input: {id: "${whole.id}", labelIds: ["${whole.labelId}"]}) { envelope { id title } } }`,
      marked,
      ofOne,
    ),
    createEnvelope: field(
      () => `mutation { createEnvelope(input: {title: "another"}) { envelope { id title } } }`,
      () => ["another"],
    ),
    updateEnvelope: field(
      () => `mutation { updateEnvelope(input: {id: "${whole.id}", message: "changed"}) { envelope { id title } } }`,
      marked,
      ofOne,
    ),
    deleteEnvelope: field(() => `mutation { deleteEnvelope(input: {id: "${whole.id}"}) { done } }`, done, ofOne),
    addEnvelopeDocument: field(
      () =>
        `mutation { addEnvelopeDocument(input: {id: "${whole.id}", documentId: "${whole.otherDocumentId}"}) { document { documentId position } } }`,
      () => [whole.otherDocumentId],
      ofOne,
    ),
    removeEnvelopeDocument: field(
      () =>
        `mutation { removeEnvelopeDocument(input: {id: "${whole.id}", documentId: "${whole.documentId}"}) { done } }`,
      done,
      ofOne,
    ),
    addParticipant: field(
      ({ marker }) =>
        `mutation { addParticipant(input: {id: "${whole.id}", name: "${marker}", email: "b@example.com"}) { participant { id name } } }`,
      marked,
      ofOne,
    ),
    updateParticipant: field(
      () =>
        `mutation { updateParticipant(input: {id: "${whole.id}", participantId: "${whole.participantId}", role: TESTEMUNHA}) { participant { id name role } } }`,
      marked,
      ofOne,
    ),
    removeParticipant: field(
      () =>
        `mutation { removeParticipant(input: {id: "${whole.id}", participantId: "${whole.participantId}"}) { done } }`,
      done,
      ofOne,
    ),
    addField: field(
      () =>
        `mutation { addField(input: {id: "${whole.id}", participantId: "${whole.participantId}", documentId: "${whole.documentId}", page: 1, x: 0, y: 0, width: 0.5, height: 0.5, type: TEXTO}) { field { id participantId type } } }`,
      () => [whole.participantId],
      ofOne,
    ),
    moveEnvelopeDocument: field(
      () =>
        `mutation { moveEnvelopeDocument(input: {id: "${whole.id}", documentId: "${whole.documentId}", position: 1}) { document { documentId } } }`,
      () => [whole.documentId],
      ofOne,
    ),
    updateField: field(
      () =>
        `mutation { updateField(input: {id: "${whole.id}", fieldId: "${whole.fieldId}", required: false}) { field { id } } }`,
      () => [whole.fieldId],
      ofOne,
    ),
    removeField: field(
      () => `mutation { removeField(input: {id: "${whole.id}", fieldId: "${whole.fieldId}"}) { done } }`,
      done,
      ofOne,
    ),
  },
};

/** A row in every table of envelopes, written by requests of an organization. */
export async function writeOneEnvelope(stage: EnvelopeStage): Promise<void> {
  const upload = async () => (await storedDocument(stage.selo, stage.token)).id;
  const { id, participantId, place } = await withFields(stage, upload);
  await ask(stage, "PATCH", `/envelopes/${id}`, {
    message: "a",
    language: "en",
    external_id: "a",
    remind_every_days: 3,
  });
  await ask(stage, "PATCH", `/envelopes/${id}/participants/${participantId}`, {
    cpf: "52998224725",
    ssn_last4: "6789",
    phone: "+5511987654321",
    order_index: 1,
  });
  const box = await aField(stage, id, { ...place, type: "checkbox" });
  await aField(stage, id, { ...place, type: "texto", condition_field_id: box.id, condition_trigger: "checked" });
  await aParticipant(stage, id, { role: "observador" });
  const sent = await aSendable(stage, {}, upload);
  await ask(stage, "POST", `/envelopes/${sent.id}/send`);
  const template = {
    name: "a",
    title: "a",
    message: "a",
    language: "en",
    expires_in_days: 1,
    participants: [{ name: "a", email: "a@example.com" }],
  };
  const { body: made } = await ask(stage, "POST", "/templates", template);
  await ask(stage, "POST", `/templates/${made.id}/apply`, {});
  await put(stage, id, [(await aLabel(stage, randomUUID(), "#00ff00")).id]);
  await ask(stage, "POST", "/integrations/connectors", UNREACHABLE);
  await writeOneCompleted(stage, upload);
}

/** An envelope that was signed and completed, and an envelope that one of two participants signed. */
async function writeOneCompleted(stage: EnvelopeStage, upload: () => Promise<string>): Promise<void> {
  const worker = workerOf(stage);
  try {
    const { id, links } = await sentWith(stage, [{ fields: [{ type: "nome" }] }], {}, { upload });
    const { status } = await complete(stage, links[0]);
    if (status !== 200) throw new Error(`a signature was answered ${status}`);
    await completing(stage, id, worker);
    // As a delivery keeps it: the connector of this organization cannot be reached.
    const report = { basis: "ab".repeat(32), object_id: randomUUID(), size: 1, sha256: "cd".repeat(32) };
    await worker.context.jobs.call(stage, "keep_package_report", { id, ...report });
    const half = await sentWith(stage, [{ fields: [{ type: "anexo" }] }, {}], {}, { upload });
    await deliver(stage, half.links[0], half.fields[0]?.[0] ?? "");
    await complete(stage, half.links[0]);
  } finally {
    await worker.end();
  }
}
