// GET /proofs/{id}/receipt: a one-page PDF with evidence.json attached, read back by poppler and zbar (signature-service §4).
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiptTexts } from "../../../src/adapters/pdf/receipt-texts.ts";
import { readEvidence } from "../../../src/verifier/evidence.ts";
import { readKeys } from "../../../src/verifier/keys.ts";
import { readReceipt as readAttachment } from "../../../src/verifier/receipt.ts";
import { verify } from "../../../src/verifier/verify.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { canonicalByPython } from "../../support/python.ts";
import { printedPayload, type ReadReceipt, readReceipt, scanReceipt } from "../../support/receipt-reader.ts";
import { call, countRows, expectError, type RestResponse } from "../../support/rest-client.ts";
import { tamper } from "../../support/tamper.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: "Acme" });
});
afterAll(() => selo.stop());

type Proof = RestResponse["body"];
async function register(members: object = {}, token = organization.live): Promise<Proof> {
  const body = { sha256: randomBytes(32).toString("hex"), ...members };
  const made = await call(selo, "POST", "/proofs", { token, body });
  expect(made.status).toBe(201);
  return made.body;
}

async function receiptOf({ id }: Proof, token = organization.live): Promise<Buffer> {
  const response = await call(selo, "GET", `/proofs/${id}/receipt`, { token });
  expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({
    status: 200,
    type: "application/pdf",
  });
  return response.bytes;
}

const read = async (proof: Proof, token?: string): Promise<ReadReceipt> => readReceipt(await receiptOf(proof, token));
/** The text with its columns and lines run together by single spaces. */
const flat = ({ text }: ReadReceipt) => text.replaceAll(/\s+/g, " ");
const payloadOf = ({ evidence }: ReadReceipt): string => JSON.parse(evidence).payload;

test("prints file, description, digest, instant, code, key ids, canonical payload and instructions, on one page", async () => {
  const proof = await register({ label: "Contract 12", file_name: "contract.pdf", file_size: 12_345 });
  const receipt = await read(proof);
  for (const shown of [
    "contract.pdf was registered by Acme on ",
    "Registered by Acme",
    "File name contract.pdf (12,345 bytes)",
    "Description Contract 12",
    `Verification code ${proof.verification_code} Verify at ${proof.verify_url}`,
    `${proof.registered_at.slice(11, 26)} UTC`,
    `Platform keys ${proof.platform_key_id} ${proof.platform_pq_key_id}`,
    "How to verify",
    "node selo-verify.mjs",
    "What this does not prove",
    "both required",
  ])
    expect(flat(receipt)).toContain(shown);
  expect(receipt.raw.replaceAll(/\s/g, "")).toContain(`Fingerprintofthefile(SHA-256)${proof.sha256}Platformkeys`);
  expect(printedPayload(receipt)).toBe(payloadOf(receipt));
  expect(receipt.info).toMatchObject({
    Pages: "1",
    "Page size": expect.stringContaining("A4"),
    Title: `Proof of existence ${proof.verification_code}`,
    JavaScript: "no",
    Encrypted: "no",
    Tagged: "yes",
  });
});

test("of the file it prints what was registered", async () => {
  const sizeOnly = await read(await register({ file_size: 1 }));
  expect(flat(sizeOnly)).toContain("A file was registered by Acme on ");
  expect(flat(sizeOnly)).toContain("File size 1 byte Description");
  const nameOnly = await read(await register({ file_name: "a.txt" }));
  expect(flat(nameOnly)).toContain("File name a.txt Description");
  const neither = await read(await register());
  expect(flat(neither)).toContain("Registered by Acme Description (none)");
});

describe("the operator's name and details", () => {
  test("are printed if they are set", async () => {
    const named = await startGatewayBeside(selo, {
      OPERATOR_NAME: "Cartório & Filhos <Ltda>",
      OPERATOR_DETAILS: "CNPJ 12.345.678/0001-90, São Paulo",
    });
    try {
      const proof = await register();
      const get = async (target: Pick<TestGateway, "baseUrl">) =>
        flat(
          readReceipt((await call(target, "GET", `/proofs/${proof.id}/receipt`, { token: organization.live })).bytes),
        );
      const printed = await get(named);
      expect(printed).toContain("Cartório & Filhos <Ltda>");
      expect(printed).toContain("CNPJ 12.345.678/0001-90, São Paulo Proof of existence");
      expect(await get(selo)).toMatch(/^ ?Selo Proof of existence/);
    } finally {
      await named.stop();
    }
  });
});

test("its QR code is the verify address", async () => {
  const proof = await register();
  expect(scanReceipt(await receiptOf(proof))).toBe(proof.verify_url);
});

describe("evidence.json", () => {
  test("is attached, alone, and holds payload, signatures and keys", async () => {
    const proof = await register({ label: "ação 🏷", file_name: "ﬁ.pdf", file_size: 0 });
    const pdf = await receiptOf(proof);
    const receipt = readReceipt(pdf);
    expect(receipt.attachments.trim().split("\n")).toEqual(["1 embedded files", "1: evidence.json"]);
    expect(receipt.evidence).toBe(await readAttachment(pdf));
    const keys: Proof[] = (await call(selo, "GET", "/public/platform-key")).body.platform_keys;
    expect(JSON.parse(receipt.evidence)).toEqual({
      payload: canonicalByPython(proof.evidence).toString(),
      signatures: [
        { algorithm: "Ed25519", key_id: proof.platform_key_id, signature: proof.platform_signature },
        { algorithm: "ML-DSA-87", key_id: proof.platform_pq_key_id, signature: proof.platform_signature_pq },
      ],
      keys: [proof.platform_key_id, proof.platform_pq_key_id].map((id) => {
        const { key_id, algorithm, public_key, environment } = keys.find((key) => key["key_id"] === id);
        return { key_id, algorithm, public_key, environment };
      }),
    });
  });

  test("is proved offline with the file and the platform's keys, and not with another file", async () => {
    const file = randomBytes(50);
    const sha256 = createHash("sha256").update(file).digest("hex");
    const { evidence } = await read(await register({ sha256, label: "ção \u2028 🏷" }));
    const keys = readKeys((await call(selo, "GET", "/public/platform-key")).text);
    expect(verify(readEvidence(evidence), { sha256, name: "x", size: 50 }, keys)).toMatchObject({
      verdict: "proved",
      environment: "live",
    });
    const other = createHash("sha256").update("other").digest("hex");
    expect(verify(readEvidence(evidence), { sha256: other, name: "x", size: 50 }, keys).verdict).toBe("failed");
  });
});

describe("the organization's language", () => {
  test.each([
    ["pt-BR", "Prova de existência", "Como verificar", "Data e hora", "pt-BR"],
    ["pt", "Prova de existência", "Como verificar", "Data e hora", "pt-BR"],
    ["en", "Proof of existence", "How to verify", "Date and time", "en"],
    ["en-US", "Proof of existence", "How to verify", "Date and time", "en"],
    ["de", "Proof of existence", "How to verify", "Date and time", "en"],
  ])("%s", async (language, title, verification, instant, tag) => {
    const own = await selo.newOrganization({ language });
    const pdf = await receiptOf(await register({ label: "Ação" }, own.live), own.live);
    const receipt = readReceipt(pdf);
    for (const shown of [title, verification, instant, "Ação"]) expect(receipt.text).toContain(shown);
    expect(receipt.info["Title"]).toMatch(title);
    expect(pdf.toString("latin1")).toContain(`/Lang (${tag})`);
  });
});

describe("the instant in the organization's time zone", () => {
  const printedZones = new Set<string>();
  test.each([
    ["America/Sao_Paulo", "2026-07-01T02:30:00.000001Z", "2026-06-30 23:30:00.000001", "-03:00"],
    ["Etc/GMT+5", "2026-07-01T02:30:00.000001Z", "2026-06-30 21:30:00.000001", "-05:00"], // has no name
    ["America/Sao_Paulo", "2018-12-31T23:00:00.5Z", "2018-12-31 21:00:00.500000", "-02:00"], // DST, abolished in 2019
    ["America/St_Johns", "2026-01-15T12:00:00Z", "2026-01-15 08:30:00.000000", "-03:30"],
    ["America/St_Johns", "2026-07-15T12:00:00Z", "2026-07-15 09:30:00.000000", "-02:30"],
    ["Asia/Kolkata", "2026-12-31T20:00:00Z", "2027-01-01 01:30:00.000000", "+05:30"],
    ["Asia/Kathmandu", "2026-01-01T00:00:00Z", "2026-01-01 05:45:00.000000", "+05:45"],
    ["Pacific/Kiritimati", "2026-01-01T12:00:00Z", "2026-01-02 02:00:00.000000", "+14:00"],
    ["Pacific/Marquesas", "2026-01-01T00:00:00Z", "2025-12-31 14:30:00.000000", "-09:30"],
    // The hour that clocks show twice, before and after they are set back.
    ["Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25 02:30:00.000000", "+02:00"],
    ["Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25 02:30:00.000000", "+01:00"],
    ["UTC", "2026-01-01T00:00:00Z", "2026-01-01 00:00:00.000000", "+00:00"],
  ])("%s at %s", async (timeZone, instant, local, offset) => {
    const own = await selo.newOrganization({ timeZone });
    const proof = await register({}, own.live);
    // What is printed is what SQL answers …
    const now = await prepareReceipt(proof, own.id);
    const time = now.local_time.slice(11, 19);
    const day = receiptTexts.en.day(now.local_time);
    const utc = `${proof.registered_at.slice(0, 10)} ${proof.registered_at.slice(11, 26)} UTC`;
    const zone = receiptTexts.en.zone(timeZone, now.utc_offset, proof.registered_at);
    if (!printedZones.has(timeZone)) {
      printedZones.add(timeZone);
      const printed = flat(await read(proof, own.live));
      // An organization whose zone is UTC is not told the same twice.
      const inWords =
        timeZone === "UTC" ? `${day}, ${now.local_time.slice(11)} UTC` : `${day}, ${time} (${zone}) ${utc}`;
      expect(printed).toContain(`Date and time ${inWords} Fingerprint`);
      expect(printed).toContain(` on ${day} at ${time.slice(0, 5)} ${timeZone === "UTC" ? "UTC." : `(${zone}).`} `);
    }
    // … and shown here for another instant, for which the receipt itself would be refused.
    await tamper(selo.database, ["update signature.proofs set registered_at = $2 where id = $1", [proof.id, instant]]);
    const prepared = await prepareReceipt(proof, own.id);
    expect(`${prepared.local_time.replace("T", " ")} UTC${prepared.utc_offset}`).toBe(`${local} UTC${offset}`);
  });
});

/** What SQL answers for the receipt of a live proof. */
async function prepareReceipt({ id }: Proof, tenantId: string): Promise<{ local_time: string; utc_offset: string }> {
  const { rows } = await selo.database.admin.query(
    `select gateway.prepare_receipt($1) as prepared from (
       select set_config('app.tenant_id', $2, true), set_config('app.environment', 'live', true), set_config('app.scopes', 'proofs:read', true) offset 0
     ) as context`,
    [id, tenantId],
  );
  return rows[0].prepared;
}

test("a proof that does not verify gets no receipt", async () => {
  for (const change of [
    "label = 'another'",
    "platform_signature = sha512('x')",
    "registered_at = registered_at - interval '1 day'",
  ]) {
    const proof = await register({ label: "first" });
    await tamper(selo.database, [`update signature.proofs set ${change} where id = $1`, [proof.id]]);
    expectError(
      await call(selo, "GET", `/proofs/${proof.id}/receipt`, { token: organization.live }),
      500,
      "internal_error",
    );
  }
});

test("only test proofs are watermarked and say that they prove nothing", async () => {
  for (const [language, word, notice] of [
    ["en", "TEST", "Made in the test environment: it proves nothing."],
    ["pt-BR", "TESTE", "Feita no ambiente de teste: não prova nada."],
  ] as const) {
    const own = await selo.newOrganization({ language });
    const live = await read(await register({}, own.live), own.live);
    const made = await read(await register({}, own.test), own.test);
    // The word lies beneath everything, letter by letter across the page. Bands stand above and below.
    expect(live.raw.startsWith("Selo\n")).toBe(true);
    expect(made.raw.startsWith(`${[...word].join("\n")}\n${word} · ${notice}\n`)).toBe(true);
    expect(made.text.split(`${word} · ${notice}`)).toHaveLength(3);
    expect(live.text).not.toContain(notice);
    expect([live.info["Pages"], made.info["Pages"]]).toEqual(["1", "1"]);
    expect([live.info["Title"], made.info["Title"]]).toEqual([
      expect.stringMatching(/^\D+ [0-9A-Z-]{14}$/),
      expect.stringMatching(new RegExp(` \\(${word}\\)$`)),
    ]);
  }
});

describe("the request", () => {
  test("answers the file's name, no caching, and HEAD as GET does", async () => {
    const proof = await register();
    const path = `/proofs/${proof.id}/receipt`;
    const [get, head] = [
      await call(selo, "GET", path, { token: organization.live }),
      await call(selo, "HEAD", path, { token: organization.live }),
    ];
    for (const { status, headers } of [get, head]) {
      expect(status).toBe(200);
      expect(headers.get("content-disposition")).toBe(`inline; filename="receipt-${proof.verification_code}.pdf"`);
      expect(headers.get("content-type")).toBe("application/pdf");
      expect(headers.get("content-length")).toBe(String(get.bytes.length));
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect(head.bytes).toHaveLength(0);
  });

  test("answers the same bytes every time", async () => {
    const proof = await register({ label: "漢字 ação 😀 Ω" });
    const first = await receiptOf(proof);
    expect((await receiptOf(proof)).equals(first)).toBe(true);
  });

  test("of another organization, environment, or without scope or token is refused, and writes nothing", async () => {
    const proof = await register();
    const stranger = await selo.newOrganization();
    const writer = await organization.token("live", ["proofs:write"]);
    const rows = await countRows(selo);
    const ask = (token: string | null, id = proof.id) => call(selo, "GET", `/proofs/${id}/receipt`, { token });
    for (const token of [stranger.live, stranger.test, organization.test])
      expectError(await ask(token), 404, "not_found");
    expectError(await ask(organization.live, "0197a0c0-0000-7000-8000-000000000000"), 404, "not_found");
    expectError(await ask(organization.live, "x"), 422, "invalid_request", ["id"]);
    expectError(await ask(writer), 403, "missing_scope");
    expectError(await ask(null), 401, "unauthenticated");
    await ask(organization.live);
    expect(await countRows(selo)).toEqual(rows);
  });
});
