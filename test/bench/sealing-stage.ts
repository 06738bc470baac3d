/** Envelopes that wait for their last act, in the test environment of several organizations. */
import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { pdf, stream } from "../adapters/pdf-check/pdf-file.ts";
import type { TestOrganization } from "../support/gateway.ts";
import type { BenchGateway } from "./bench-gateway.ts";

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();

/** An organization with a document that is ready. */
export interface Sender {
  readonly id: string;
  readonly token: string;
  readonly documentId: string;
}

/** What a participant acts with. */
export interface Ready {
  readonly envelopeId: string;
  readonly participantId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A JSON answer; fails for one that is not 2xx. */
export async function asked<Answer>(
  { url }: BenchGateway,
  method: string,
  path: string,
  { token, headers, body }: { token?: string; headers?: Readonly<Record<string, string>>; body?: object } = {},
): Promise<Answer> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === "" ? null : JSON.parse(text)) as Answer;
}

export async function aSender(gateway: BenchGateway, { id, test }: TestOrganization, file: Buffer): Promise<Sender> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(file)]), "contract.pdf");
  const answer = await fetch(`${gateway.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${test}` },
    body: form,
  });
  const document = (await answer.json()) as { readonly id: string; readonly status: string };
  for (let { status } = document; status !== "ready"; ) {
    if (status !== "processing") throw new Error(`the document is ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    ({ status } = await asked<{ readonly status: string }>(gateway, "GET", `/documents/${document.id}`, {
      token: test,
    }));
  }
  return { id, token: test, documentId: document.id };
}

/** An envelope that was sent: so many signatarios in any order, a signature field each on its own page. Answers its id and theirs. */
export async function sent(gateway: BenchGateway, { token, documentId }: Sender, signers: number) {
  const post = (path: string, body?: object) =>
    asked<{ id: string }>(gateway, "POST", path, { token, ...(body === undefined ? {} : { body }) });
  const { id } = await post("/envelopes", { title: "Contract", field_placement: "fields" });
  await post(`/envelopes/${id}/documents`, { document_id: documentId });
  const participants: string[] = [];
  for (let place = 0; place < signers; place++) {
    const participant = await post(`/envelopes/${id}/participants`, {
      name: "Maria Souza da Conceição",
      email: `maria${place}@example.com`,
    });
    await post(`/envelopes/${id}/fields`, {
      participant_id: participant.id,
      document_id: documentId,
      type: "assinatura",
      page: place + 1,
      x: 0.1,
      y: 0.1,
      width: 0.3,
      height: 0.06,
    });
    participants.push(participant.id);
  }
  await post(`/envelopes/${id}/send`);
  return { id, participants };
}

/** Gives a participant a link and a session. The mails are left out. */
export async function ready(
  admin: pg.Pool,
  { id: tenantId }: Sender,
  envelopeId: string,
  participantId: string,
): Promise<Ready> {
  const [link, session] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
  await admin.query(
    `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
     values ($1, 'participant', $2, 'test', $3, 'credential', '{signing:act}')`,
    [sha256(sha256(link)), tenantId, participantId],
  );
  await admin.query(
    `with code as (
       insert into signature.signing_codes (tenant_id, environment, envelope_id, participant_id, link_version, expires_at, used_at)
       values ($1, 'test', $2, $3, 1, now() + interval '10 minutes', now()) returning id
     )
     insert into signature.signing_sessions (tenant_id, environment, envelope_id, participant_id, link_version, digest, code_id, expires_at)
     select $1, 'test', $2, $3, 1, $4, code.id, now() + interval '1 hour' from code`,
    [tenantId, envelopeId, participantId, sha256(session)],
  );
  return { envelopeId, participantId, headers: { "x-signing-link": link, "x-signing-session": session } };
}

export const TYPED = { kind: "typed", text: "Maria Souza da Conceição" } as const;
/** Four strokes, as a finger makes them. */
export const DRAWN = {
  kind: "drawn",
  ratio: 0.4,
  paths: Array.from({ length: 4 }, (_, stroke) =>
    Array.from({ length: 60 }, (_, at) => [at / 60, 0.5 + 0.4 * Math.sin(at / 5 + stroke)]),
  ),
} as const;

export async function sign(
  gateway: BenchGateway,
  { participantId, headers }: Pick<Ready, "participantId" | "headers">,
  signature: object,
): Promise<void> {
  const { consent } = await asked<{ consent: { version: string } }>(gateway, "GET", `/signing/${participantId}`, {
    headers,
  });
  await asked(gateway, "POST", `/signing/${participantId}/complete`, {
    headers,
    body: { consent_version: consent.version, signature, values: {} },
  });
}

/** A contract of pages of text, to which so many bytes are added that nobody sees. */
export function contract(pages: number, bytes = 0): Buffer {
  const each = Array.from({ length: pages }, (_, index) => index);
  const font = 3 + 2 * pages;
  const lines = Array.from({ length: 55 }, (_, line) => `(Clause ${line} of the contract, with enough words) Tj T*`);
  return pdf({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: `<< /Type /Pages /Kids [${each.map((page) => `${3 + page} 0 R`).join(" ")}] /Count ${pages} >>`,
    ...Object.fromEntries(
      each.flatMap((page) => [
        [
          3 + page,
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${3 + pages + page} 0 R /Resources << /Font << /F ${font} 0 R >> >> >>`,
        ],
        [
          3 + pages + page,
          stream(
            "",
            Buffer.concat([
              Buffer.from(`BT /F 10 Tf 50 760 Td 12 TL (Page ${page + 1}) Tj T* ${lines.join(" ")} ET\n%`),
              Buffer.alloc(Math.floor(bytes / pages), "x"),
            ]),
          ),
        ],
      ]),
    ),
    [font]: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  });
}

export const openAdmin = ({ adminUrl }: BenchGateway) => new pg.Pool({ connectionString: adminUrl, max: 8 });
