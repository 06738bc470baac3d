// Sealed PDFs of completed envelopes: issue "Signature II" §2.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway } from "../../../src/main/gateway.ts";
import { createLogger } from "../../../src/main/log.ts";
import { PdfSealer } from "../../../src/services/signature/envelopes/pdf-sealer.ts";
import { watchCertificates } from "../../../workers/signature/watch-certificates.ts";
import { isSound, OURS, run, signaturesOf } from "../../adapters/pdf-seal/seal-stage.ts";
import { composeAll, type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { readyDocument } from "../../support/uploads.ts";
import { aSession, complete, completing, DRAWN, evidenceOf, sentWith } from "./completion-stage.ts";
import { ask, CPF, type EnvelopeStage, openStage, read, withFields } from "./envelope-stage.ts";
import { inbox } from "./sending-stage.ts";
import { act, type Link, aSession as signIn } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  worker = workerOf({ selo });
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
});

const linkTo = (id: string, documentId: string) =>
  ask(stage, "GET", `/envelopes/${id}/documents/${documentId}/download`);

async function finalOf(id: string, documentId: string): Promise<Buffer> {
  const { status, body, text } = await linkTo(id, documentId);
  expect([status, text]).toEqual([200, text]);
  const answer = await fetch(body.url.replace("http://selo.test", selo.baseUrl));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("an envelope with fields", () => {
  const place = { width: 0.3, height: 0.05 };
  const fields = [
    { ...place, type: "nome", y: 0.1 },
    { ...place, type: "cpf", y: 0.2 },
    { ...place, type: "texto", y: 0.3, page: 2 },
    { ...place, type: "checkbox", y: 0.4 },
    { ...place, type: "assinatura", y: 0.5 },
    { ...place, type: "numero", y: 0.6 },
  ];

  test("is drawn and sealed: what the record names is what the link leads to", async () => {
    const made = await sentWith(stage, [{ fields, body: { cpf: CPF } }], { language: "pt-BR" });
    const { id, documentId, links } = made;
    const [, , texto = "", box = "", , numero = ""] = made.fields[0] ?? [];
    const session = await aSession(stage, links[0]);
    const values = { [texto]: "Açaí 😀", [box]: true, [numero]: "-1234.50" };
    expect((await complete(stage, links[0], { session, values, signature: DRAWN })).status).toBe(200);
    expectError(await linkTo(id, documentId), 409, "conflict");
    await completing(stage, id, worker);

    const sealed = await finalOf(id, documentId);
    expect(signaturesOf(sealed)).toEqual([{ ...OURS, signer: expect.stringMatching(/^Selo .* \(TEST\)$/) }]);
    expect(isSound(sealed)).toBe(true);
    const { said } = run({ "a.pdf": sealed }, "pdftotext", "-layout", "a.pdf", "-");
    expect(said).toContain("Maria Souza");
    expect(said).toContain(CPF);
    // As it was typed: with a comma.
    expect(said).toContain("-1234,50");
    expect(said.split("\f")[1]).toContain("Açaí 😀");

    const evidence = await evidenceOf(stage, id);
    expect(evidence.completion.evidence.documents).toEqual([
      { document_id: documentId, sha256: evidence.documents[0].sha256, final_sha256: sha256(sealed) },
    ]);
    expect((await read(stage, id)).documents[0].final_sha256).toBe(sha256(sealed));
  });

  test("with field_placement report: nothing is drawn", async () => {
    const { id, documentId, links } = await sentWith(stage);
    expect((await complete(stage, links[0])).status).toBe(200);
    await completing(stage, id, worker);
    const { said } = run({ "a.pdf": await finalOf(id, documentId) }, "pdftotext", "a.pdf", "-");
    expect(said.trim()).toBe("");
  });
});

describe("a completion that fails on its way", () => {
  test("leaves one PDF, whose bytes do not depend on the attempt", async () => {
    const { id, documentId, links } = await sentWith(stage);
    expect((await complete(stage, links[0])).status).toBe(200);
    const sealed: Buffer[] = [];
    const sealer = new PdfSealer(worker.context.jobs, masterKeys);
    const spying = {
      async sealFinal(...given: Parameters<PdfSealer["sealFinal"]>) {
        const made = await sealer.sealFinal(...given);
        sealed.push(made.pdf);
        return made;
      },
    };
    const broken = { seal: () => Promise.reject(new Error("the keys are away")) };
    await expect(completing(stage, id, worker, { sealer: spying, signers: broken })).rejects.toThrow("away");
    expectError(await linkTo(id, documentId), 409, "conflict");
    await completing(stage, id, worker, { sealer: spying });
    expect(sealed).toHaveLength(2);
    expect(sealed[0]?.equals(sealed[1] ?? Buffer.alloc(0))).toBe(true);
    expect((await finalOf(id, documentId)).equals(sealed[1] ?? Buffer.alloc(0))).toBe(true);
  });

  test("a content that is not what was signed is not sealed", async () => {
    const { id, documentId, links } = await sentWith(stage);
    expect((await complete(stage, links[0])).status).toBe(200);
    await selo.database.admin.query("update signature.documents set sha256 = sha256('other') where id = $1", [
      documentId,
    ]);
    await expect(completing(stage, id, worker)).rejects.toThrow("is not what was signed");
  });
});

test("a document of another envelope or organization has no link: 404", async () => {
  const one = await sentWith(stage);
  const two = await sentWith(stage);
  expectError(await linkTo(one.id, two.documentId), 404, "not_found");
  const other = await openStage(selo);
  expectError(await ask(other, "GET", `/envelopes/${one.id}/documents/${one.documentId}/download`), 404, "not_found");
});

test("for 90 days after the completion the links lead to the sealed PDF, after a code: those of who acted and of who watched", async () => {
  const { id, documentId, links } = await sentWith(stage, [{}, { body: { role: "observador" } }]);
  const before = await act(stage, links[0], "GET", `/documents/${documentId}`, {
    session: await signIn(stage, links[0]),
  });
  expect((await complete(stage, links[0])).status).toBe(200);
  await completing(stage, id, worker);
  const final = sha256(await finalOf(id, documentId));
  await composeAll(stage, worker);
  const copies = (await inbox(stage, id)).filter(({ kind }) => kind === "envelope_completed");
  expect(copies.map(({ link }) => link?.split("#")[0]).sort()).toEqual(
    links.map(({ participantId }) => `http://selo.test/sign/${participantId}`).sort(),
  );
  for (const { text } of copies) expect(text.replace(/\s+/g, " ")).toMatch(/shows the copy until \d+ \w+ \d{4} at/);
  for (const link of links) {
    const session = await signIn(stage, link);
    const shown = await act(stage, link, "GET", "", { session });
    expect(shown.body).toMatchObject({ status: "completed", documents: [{ id: documentId }] });
    const answer = await fetch(`${selo.baseUrl}/api/v1/signing/${link.participantId}/documents/${documentId}`, {
      headers: { "x-signing-link": link.secret, "x-signing-session": session },
    });
    expect([answer.status, sha256(Buffer.from(await answer.arrayBuffer()))]).toEqual([200, final]);
    // The original has another tag, so that no reader takes the one for the other.
    expect(answer.headers.get("etag")).not.toBe(before.headers.get("etag"));
  }
  // A view is an act, which comes too late.
  const watching = await signIn(stage, links[1] as Link);
  expectError(await act(stage, links[1] as Link, "POST", "/view", { session: watching }), 409, "conflict");
  await selo.database.admin.query(
    "update signature.envelopes set completed_at = now() - interval '91 days' where id = $1",
    [id],
  );
  for (const link of links) expectError(await act(stage, link, "POST", "/code"), 409, "conflict");
});

test("a document that is already signed takes no fields, and its signatures stay valid", async () => {
  const { id, documentId, links } = await sentWith(stage);
  expect((await complete(stage, links[0])).status).toBe(200);
  await completing(stage, id, worker);
  const signed = await readyDocument(selo, stage.token, "signed.pdf", await finalOf(id, documentId));
  const { rows } = await selo.database.admin.query(
    "select is_signed from signature.documents where id in ($1, $2) order by is_signed",
    [documentId, signed.id],
  );
  expect(rows).toEqual([{ is_signed: false }, { is_signed: true }]);
  const { id: draft, place } = await withFields(stage, async () => signed.id);
  const refused = await ask(stage, "POST", `/envelopes/${draft}/fields`, {
    ...place,
    page: 1,
    x: 0.1,
    y: 0.1,
    width: 0.1,
    height: 0.1,
  });
  expectError(refused, 422, "invalid_request");
  expect(refused.body.fields).toEqual([
    { field: "document_id", message: "is already signed, and nothing may be drawn over its signatures" },
  ]);

  const again = await sentWith(stage, [{}], {}, { upload: async () => signed.id });
  expect((await complete(stage, again.links[0])).status).toBe(200);
  await completing(stage, again.id, worker);
  expect(signaturesOf(await finalOf(again.id, signed.id)).map(({ isValid, isTotal }) => [isValid, isTotal])).toEqual([
    [true, false],
    [true, true],
  ]);
});

describe("a certificate", () => {
  test("is published with the keys", async () => {
    const { body } = await call(selo, "GET", "/public/platform-key");
    expect(
      body.seal_certificates.map(({ environment, status }: { environment: string; status: string }) => [
        environment,
        status,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["live", "active"],
        ["test", "active"],
      ]),
    );
    for (const { certificate } of body.seal_certificates)
      expect(
        run({ c: Buffer.from(certificate, "base64") }, "openssl", "x509", "-inform", "DER", "-in", "c", "-noout")
          .status,
      ).toBe(0);
    expect(body.seal_certificates[0]).not.toHaveProperty("sealed_key");
  });

  /** Runs with the certificates changed, and changes them back. */
  async function withCertificates(change: string, back: string, work: () => Promise<void>) {
    const { admin } = selo.database;
    await admin.query(
      `update platform.seal_certificates set ${change} where environment = 'test' and status = 'active'`,
    );
    try {
      await work();
    } finally {
      await admin.query(
        `update platform.seal_certificates set ${back} where environment = 'test' and status = 'active'`,
      );
    }
  }
  const start = () =>
    startGateway({
      config: selo.config,
      databaseUrl: selo.database.appUrl,
      masterKeys,
      log: createLogger("silent", process.stdout),
    });
  const sealer = () => new PdfSealer(worker.context.jobs, masterKeys);

  test("that has expired stops the start, seals nothing, and says what to do", async () => {
    await withCertificates(
      "not_before = not_before - interval '3 years', not_after = not_after - interval '3 years'",
      "not_before = not_before + interval '3 years', not_after = not_after + interval '3 years'",
      async () => {
        const sentence =
          /the certificate rsa-3072-[0-9a-f]{16}, which seals PDFs of environment test, expired at .*: run selo keys rotate/;
        await expect(start()).rejects.toThrow(sentence);
        await expect(sealer().check()).rejects.toThrow(sentence);
        await expect(
          sealer().seal({ pdf: Buffer.from("%PDF"), environment: "test", at: new Date(), reason: "" }),
        ).rejects.toThrow(sentence);
        await expect
          .poll(async () => ((await (await fetch(`${selo.baseUrl}/readyz`)).json()) as { checks: object }).checks)
          .toMatchObject({ certificates: "failed", keys: "ok" });
      },
    );
  });

  test("whose key is that of another certificate stops the start", async () => {
    await withCertificates(
      "sealed_key = (select other.sealed_key from platform.seal_certificates as other where other.environment = 'live' and other.status = 'active'), created_at = created_at",
      `sealed_key = '\\x${(await selo.operator.sealCertificates()).find(({ environment }) => environment === "test")?.sealedKey.toString("hex")}'`,
      async () => {
        await expect(start()).rejects.toThrow(/cannot be used: .*; set SELO_MASTER_KEY/);
      },
    );
    await sealer().check();
  });

  test("sounds the alarm from 30 days before it expires", async () => {
    const heard: object[] = [];
    const log = { ...worker.context.log, error: (line: object) => void heard.push(line) } as never;
    await watchCertificates(null)({}, { ...worker.context, log });
    expect(heard).toEqual([]);
    await withCertificates(
      "not_after = not_after - interval '701 days'",
      "not_after = not_after + interval '701 days'",
      async () => {
        await watchCertificates(null)({}, { ...worker.context, log });
      },
    );
    expect(heard).toMatchObject([{ alarm: "seal_certificate_expires", environment: "test" }]);
  });
});
