// Envelopes and documents for tests.
import { createHash, randomUUID } from "node:crypto";
import { pdf } from "../../adapters/pdf-check/pdf-file.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { call, type RestResponse } from "../../support/rest-client.ts";

/** A well-formed CPF; its owner is invented. */
export const CPF = "529.982.247-25";

export interface EnvelopeStage {
  readonly selo: TestGateway;
  readonly tenantId: string;
  readonly token: string;
  readonly environment: "live" | "test";
}

/** Asks as the caller of the stage. */
export const ask = (
  { selo, token }: Pick<EnvelopeStage, "selo" | "token">,
  method: string,
  path: string,
  body?: object,
): Promise<RestResponse> => call(selo, method, path, { token, ...(body ? { body } : {}) });

/** The body of a successful answer. */
async function made(answer: Promise<RestResponse>) {
  const { status, body, text } = await answer;
  if (status >= 300) throw new Error(`answered ${status}: ${text}`);
  return body;
}

export const anEnvelope = (stage: EnvelopeStage, body: object = {}) =>
  made(ask(stage, "POST", "/envelopes", { title: "Contract", ...body }));

export const aParticipant = (stage: EnvelopeStage, envelopeId: string, body: object = {}) =>
  made(
    ask(stage, "POST", `/envelopes/${envelopeId}/participants`, { name: "Maria", email: "maria@example.com", ...body }),
  );

export const aField = (stage: EnvelopeStage, envelopeId: string, body: object) =>
  made(
    ask(stage, "POST", `/envelopes/${envelopeId}/fields`, {
      page: 1,
      x: 0.1,
      y: 0.1,
      width: 0.2,
      height: 0.1,
      ...body,
    }),
  );

/** The PDF of {@link aDocument}: {@link storeContents} puts it into the storage. */
export function contentOf(id: string, pages: number): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => 3 + index);
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>";
  return pdf({
    1: `<< /Type /Catalog /Pages 2 0 R /Lang (${id}) >>`,
    2: `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(" ")}] /Count ${pages} >>`,
    ...Object.fromEntries(kids.map((kid) => [kid, page])),
  });
}

/** A document with pages of A4, as its upload and its check leave it. */
export async function aDocument(
  { selo, tenantId, environment }: EnvelopeStage,
  { status = "ready", pages = 2 }: { readonly status?: string; readonly pages?: number } = {},
): Promise<string> {
  const id = randomUUID();
  const isReady = status === "ready";
  const isGone = status === "quarantined" || status === "failed";
  const content = contentOf(id, pages);
  await selo.database.admin.query(
    `insert into signature.documents (tenant_id, id, environment, filename, status, reason, size, sha256, pages, object_id, created_at, checked_at)
     values ($1, $2::uuid, $3, 'contract.pdf', $4, $5, $9, $10, $6, $7, now(), case when $8 then now() end)`,
    [
      tenantId,
      id,
      environment,
      status,
      isGone ? "javascript" : null,
      JSON.stringify(isReady ? Array(pages).fill({ width: 595, height: 842 }) : []),
      isGone ? null : randomUUID(),
      isReady || isGone,
      content.length,
      createHash("sha256").update(content).digest(),
    ],
  );
  return id;
}

/** An envelope with a ready document and a signatario. */
export async function aSendable(
  stage: EnvelopeStage,
  body: object = {},
  upload: () => Promise<string> = () => aDocument(stage),
) {
  const { id } = await anEnvelope(stage, body);
  const documentId = await upload();
  await made(ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: documentId }));
  const participant = await aParticipant(stage, id);
  return { id: id as string, documentId, participantId: participant.id as string };
}

/** An envelope with field_placement fields, and a member of a field on it. */
export async function withFields(stage: EnvelopeStage, upload?: () => Promise<string>) {
  const { id, documentId, participantId } = await aSendable(stage, { field_placement: "fields" }, upload);
  return { id, documentId, participantId, place: { participant_id: participantId, document_id: documentId } };
}

/** What an envelope is, read again. */
export const read = (stage: EnvelopeStage, id: string) => made(ask(stage, "GET", `/envelopes/${id}`));

export async function openStage(selo: TestGateway, environment: "live" | "test" = "test"): Promise<EnvelopeStage> {
  const organization = await selo.newOrganization();
  return { selo, tenantId: organization.id, token: organization[environment], environment };
}
