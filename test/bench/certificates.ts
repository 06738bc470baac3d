import { createHash, randomBytes, sign as signWith } from "node:crypto";
import { makeSealCertificate, openSealKey } from "../../src/adapters/pdf-seal/certificate.ts";
import { sealPdf } from "../../src/adapters/pdf-seal/seal-pdf.ts";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { rsaKey } from "../adapters/certificates/pkcs12-files.ts";
import { AUTHORITY, derOf, folderOf, issue, PERSON_NAME, withNames } from "../adapters/signer-certificate/authority.ts";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import type { Measurement } from "./measurement.ts";
import { aSender, asked, contract, openAdmin, type Sender } from "./sealing-stage.ts";

const BYTES = Number(process.env["BENCH_DOCUMENT_BYTES"] ?? 5_000_000);
const SIGNATURES = Number(process.env["BENCH_SIGNATURES"] ?? 100);
const sha256 = (bytes: string) => createHash("sha256").update(bytes).digest();

interface ToSign {
  readonly document_id: string;
  readonly signed_attributes: string;
}

/**
 * Signatures with certificates of a document of 5 MB over HTTP, one after the other in the test environment: the two calls of each, beside a platform seal of
 * the same document. The signing itself, which the device of the participant does, is left out.
 */
export async function certificates(): Promise<Measurement[]> {
  const root = issue({ subject: "/C=BR/O=ICP-Brasil/CN=Raiz", extensions: AUTHORITY });
  const authority = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC", issuer: root, extensions: AUTHORITY });
  const holder = issue({
    subject: "/C=BR/O=ICP-Brasil/CN=MARIA SOUZA",
    key: rsaKey(),
    issuer: authority,
    extensions: withNames(PERSON_NAME),
  });
  const folder = folderOf({ "root.pem": root.certificate });
  const gateway = await startBenchGateway({ ICP_BRASIL_TEST_ROOTS: folder });
  const admin = openAdmin(gateway);
  try {
    // As `selo migrate` writes it.
    const operator = await Operator.connect(gateway.adminUrl);
    await operator.changeSetting("icp_brasil_roots_test", folder);
    await operator.close();
    const pdf = contract(10, BYTES);
    const sender = await aSender(gateway, gateway.organization, pdf);
    const { certificate, privateKey } = await makeSealCertificate("bench", "test");
    const key = { certificate, key: openSealKey(certificate, privateKey) };
    const chain = [holder, authority].map((each) => derOf(each).toString("base64"));
    const times = { certificate: [] as number[], complete: [] as number[], seal: [] as number[] };
    for (let count = 0; count < SIGNATURES; count++) {
      const { participantId, headers } = await invited(gateway, admin, sender);
      const path = `/signing/${participantId}`;
      const { consent } = await asked<{ consent: { version: string } }>(gateway, "GET", path, { headers });
      const { token } = await asked<{ token: string }>(gateway, "POST", `${path}/session`, { headers, body: {} });
      const within = { ...headers, "x-signing-session": token };
      const { to_sign } = await timed(times.certificate, () =>
        asked<{ to_sign: readonly ToSign[] }>(gateway, "POST", `${path}/certificate`, {
          headers: within,
          body: { chain },
        }),
      );
      const signatures = to_sign.map(({ document_id, signed_attributes }) => ({
        document_id,
        signature: signWith("sha256", Buffer.from(signed_attributes, "base64"), holder.key).toString("base64"),
      }));
      const body = { consent_version: consent.version, signatures, values: {} };
      await timed(times.complete, () => asked(gateway, "POST", `${path}/complete`, { headers: within, body }));
      await timed(times.seal, () => sealPdf({ pdf, at: new Date(), reason: "bench" }, key));
    }
    const at = (name: keyof typeof times, share: number) =>
      times[name].toSorted((one, other) => one - other)[Math.floor(times[name].length * share)] ?? Number.NaN;
    const ms = (value: number) => `${value.toFixed(0)} ms`;
    return (["certificate", "complete"] as const).map((name) => ({
      figure: `POST …/${name} of a document of ${(pdf.length / 1e6).toFixed(0)} MB (p99 aim 700 ms, ratio aim 2.5)`,
      value: ms(at(name, 0.5)),
      peer: `${ms(at("seal", 0.5))} a platform seal of it`,
      ratio: (at(name, 0.5) / at("seal", 0.5)).toFixed(2),
      p50: ms(at(name, 0.5)),
      p99: ms(at(name, 0.99)),
    }));
  } finally {
    await admin.end();
    await gateway.stop();
  }
}

async function timed<Result>(times: number[], work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await work();
  times.push(performance.now() - began);
  return result;
}

/** A participant of modality qualificada, invited to sign one document, and a link. The mail is left out. */
async function invited(gateway: BenchGateway, admin: ReturnType<typeof openAdmin>, sender: Sender) {
  const post = (path: string, body?: object) =>
    asked<{ id: string }>(gateway, "POST", path, { token: sender.token, ...(body === undefined ? {} : { body }) });
  const { id } = await post("/envelopes", { title: "Contract", field_placement: "report" });
  await post(`/envelopes/${id}/documents`, { document_id: sender.documentId });
  const person = { name: "Maria Souza", email: "maria@example.com", modality: "qualificada" };
  const { id: participantId } = await post(`/envelopes/${id}/participants`, person);
  await post(`/envelopes/${id}/send`);
  const link = randomBytes(32).toString("base64url");
  const digest = createHash("sha256").update(sha256(link)).digest();
  await admin.query(
    `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
     values ($1, 'participant', $2, 'test', $3, 'credential', '{signing:act}')`,
    [digest, sender.id, participantId],
  );
  return { participantId, headers: { "x-signing-link": link } };
}
