// POST /proofs and GET /proofs/{id}: the proof object, its evidence and its seal (signature-service §2, §4).
import { spawnSync } from "node:child_process";
import { createHash, createPublicKey, randomBytes, verify, X509Certificate } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { verifyAsync } from "@noble/ed25519";
import { ml_dsa87 } from "@noble/post-quantum/ml-dsa.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { canonicalByPython } from "../../support/python.ts";
import {
  call,
  countRows,
  expectError,
  filePart,
  multipartBody,
  signatureCredits,
  textPart,
} from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: 'Café "Ünïcode" 🏛 \\ GmbH', language: "pt-BR" });
});
afterAll(() => selo.stop());

const digest = () => randomBytes(32).toString("hex");
const PROOF_MEMBERS = [
  "id",
  "sha256",
  "label",
  "file_name",
  "file_size",
  "language",
  "registered_at",
  "verification_code",
  "verify_url",
  "evidence",
  "platform_signature",
  "platform_key_id",
  "platform_signature_pq",
  "platform_pq_key_id",
  "evidence_signature_algorithms",
  "created",
];
const EVIDENCE_MEMBERS = [
  "kind",
  "schema_version",
  "proof_id",
  "tenant_id",
  "organization",
  "hash_algorithm",
  "sha256",
  "label",
  "file_name",
  "file_size",
  "registered_at",
  "verification_code",
  "time_source",
  "key_id",
  "pq_key_id",
  "hybrid_policy",
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface PublicKey {
  readonly key_id: string;
  readonly algorithm: string;
  readonly public_key: string;
  readonly environment: string;
}

async function publicKey(keyId: string): Promise<PublicKey & { readonly raw: Buffer }> {
  const { platform_keys } = (await call(selo, "GET", "/public/platform-key")).body as { platform_keys: PublicKey[] };
  const key = platform_keys.find(({ key_id }) => key_id === keyId);
  if (key === undefined) throw new Error(`no key ${keyId}`);
  return { ...key, raw: Buffer.from(key.public_key, "base64") };
}

describe("POST /proofs with JSON", () => {
  test("answers 201 with every documented member of a proof, and no other", async () => {
    const sha256 = digest();
    const response = await call(selo, "POST", "/proofs", {
      token: organization.live,
      body: { sha256, label: "Contract", file_name: "contract.pdf", file_size: 1234 },
    });
    expect(response.status).toBe(201);
    expect(Object.keys(response.body)).toEqual(PROOF_MEMBERS);
    expect(response.body).toMatchObject({
      id: expect.stringMatching(UUID),
      sha256,
      label: "Contract",
      file_name: "contract.pdf",
      file_size: 1234,
      evidence_signature_algorithms: ["Ed25519", "ML-DSA-87"],
      created: true,
    });
    expect(Buffer.from(response.body.platform_signature, "base64")).toHaveLength(64);
    expect(Buffer.from(response.body.platform_signature_pq, "base64")).toHaveLength(4627);
    expect(response.body.platform_signature_pq).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
  });

  test("label, file_name and file_size are null when they are not given, or given as null", async () => {
    for (const rest of [{}, { label: null, file_name: null, file_size: null }]) {
      const { status, body } = await call(selo, "POST", "/proofs", {
        token: organization.live,
        body: { sha256: digest(), ...rest },
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({ label: null, file_name: null, file_size: null });
      expect(body.evidence).toMatchObject({ label: null, file_name: null, file_size: null });
    }
  });

  test("registering the digest again returns the existing proof with 200 and created false, and charges nothing", async () => {
    const sha256 = digest();
    const first = await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256, label: "first" } });
    const credits = await signatureCredits(selo, organization.id);
    const rows = await countRows(selo);
    const again = await call(selo, "POST", "/proofs", {
      token: organization.live,
      body: { sha256, label: "second", file_name: "other.txt", file_size: 9 },
    });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first.body, created: false });
    expect(again.headers.get("idempotent-replayed")).toBeNull();
    expect(await signatureCredits(selo, organization.id)).toBe(credits);
    expect(await countRows(selo)).toEqual(rows);
  });

  test("a token with only proofs:write still gets the full proof from its POST, and may not read it", async () => {
    const writer = await organization.token("live", ["proofs:write"]);
    const sha256 = digest();
    const made = await call(selo, "POST", "/proofs", { token: writer, body: { sha256 } });
    expect(made.status).toBe(201);
    expect(Object.keys(made.body)).toEqual(PROOF_MEMBERS);
    const again = await call(selo, "POST", "/proofs", { token: writer, body: { sha256 } });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...made.body, created: false });
    expectError(await call(selo, "GET", `/proofs/${made.body.id}`, { token: writer }), 403, "missing_scope");
  });
});

describe("the evidence", () => {
  test("has exactly the documented fields with their values", async () => {
    const sha256 = digest();
    const { body } = await call(selo, "POST", "/proofs", {
      token: organization.live,
      body: { sha256, label: "Étiquette 🏷", file_name: "ﬁ-😀.pdf", file_size: 0 },
    });
    expect(Object.keys(body.evidence).sort()).toEqual([...EVIDENCE_MEMBERS].sort());
    expect(body.evidence).toEqual({
      kind: "existence_proof",
      schema_version: 1,
      proof_id: body.id,
      tenant_id: organization.id,
      organization: 'Café "Ünïcode" 🏛 \\ GmbH',
      hash_algorithm: "SHA-256",
      sha256,
      label: "Étiquette 🏷",
      file_name: "ﬁ-😀.pdf",
      file_size: 0,
      registered_at: body.registered_at.replace("Z", "+00:00"),
      verification_code: body.verification_code,
      time_source: "platform_server_clock_utc",
      key_id: body.platform_key_id,
      pq_key_id: body.platform_pq_key_id,
      hybrid_policy: "AND",
    });
  });

  test("registered_at is UTC with six digits and ends in Z, measured by the server while the call ran", async () => {
    const before = Date.now();
    const { body } = await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256: digest() } });
    const after = Date.now();
    expect(body.registered_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Date.parse(body.registered_at)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(body.registered_at)).toBeLessThanOrEqual(after + 1);
    const read = await call(selo, "GET", `/proofs/${body.id}`, { token: organization.live });
    expect(read.body.registered_at).toBe(body.registered_at);
  });

  test("serialized as canonical JSON by another program it is byte for byte what is stored as signed", async () => {
    const { body } = await call(selo, "POST", "/proofs", {
      token: organization.live,
      body: {
        sha256: digest(),
        label: 'tab\t"quoted" \\ \u0001 \u007f \u2028 ção 🏷 </script>',
        file_size: 9007199254740991,
      },
    });
    const { rows } = await selo.database.admin.query<{ evidence: string }>(
      "select evidence from signature.proofs where id = $1",
      [body.id],
    );
    expect(canonicalByPython(body.evidence).toString()).toBe(rows[0]?.evidence);
  });

  test.each(["live", "test"] as const)(
    "both %s signatures verify against the published platform keys",
    async (environment) => {
      const { body } = await call(selo, "POST", "/proofs", {
        token: organization[environment],
        body: { sha256: digest(), label: "ação 🏷" },
      });
      const message = canonicalByPython(body.evidence);
      const ed25519 = await publicKey(body.platform_key_id);
      const mlDsa87 = await publicKey(body.platform_pq_key_id);
      expect(ed25519).toMatchObject({ algorithm: "Ed25519", environment });
      expect(mlDsa87).toMatchObject({ algorithm: "ML-DSA-87", environment });
      const signature = Buffer.from(body.platform_signature, "base64");
      const signaturePq = Buffer.from(body.platform_signature_pq, "base64");
      const other = Buffer.from(message.toString().replace("existence_proof", "existence_proff"));

      // @noble
      expect(await verifyAsync(signature, message, ed25519.raw)).toBe(true);
      expect(await verifyAsync(signature, other, ed25519.raw)).toBe(false);
      expect(ml_dsa87.verify(signaturePq, message, mlDsa87.raw)).toBe(true);
      expect(ml_dsa87.verify(signaturePq, other, mlDsa87.raw)).toBe(false);

      // node:crypto
      const keyOf = (raw: Buffer, asymmetricKeyType: "ed25519" | "ml-dsa-87") =>
        createPublicKey({ key: raw, format: "raw-public", asymmetricKeyType });
      expect(verify(null, message, keyOf(ed25519.raw, "ed25519"), signature)).toBe(true);
      expect(verify(null, other, keyOf(ed25519.raw, "ed25519"), signature)).toBe(false);
      expect(verify(null, message, keyOf(mlDsa87.raw, "ml-dsa-87"), signaturePq)).toBe(true);
      expect(verify(null, other, keyOf(mlDsa87.raw, "ml-dsa-87"), signaturePq)).toBe(false);

      // The openssl command (its version need not know ML-DSA).
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-openssl-"));
      try {
        const file = (name: string, bytes: Buffer) => {
          fs.writeFileSync(path.join(folder, name), bytes);
          return path.join(folder, name);
        };
        // SubjectPublicKeyInfo of RFC 8410: the algorithm, then the 32 bytes.
        const key = file("key.der", Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), ed25519.raw]));
        const openssl = (signed: Buffer) =>
          spawnSync("openssl", [
            ...["pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", key, "-rawin"],
            ...["-in", file("message", signed), "-sigfile", file("signature", signature)],
          ]).status;
        expect(openssl(message)).toBe(0);
        expect(openssl(other)).not.toBe(0);
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    },
  );
});

describe("the other members", () => {
  test("language is the organization's at registration, also after it changes", async () => {
    const changing = await selo.newOrganization({ language: "pt-BR" });
    const before = await call(selo, "POST", "/proofs", { token: changing.live, body: { sha256: digest() } });
    await selo.database.admin.query("update platform.organizations set language = 'en' where id = $1", [changing.id]);
    const after = await call(selo, "POST", "/proofs", { token: changing.live, body: { sha256: digest() } });
    expect(before.body.language).toBe("pt-BR");
    expect(after.body.language).toBe("en");
    const read = await call(selo, "GET", `/proofs/${before.body.id}`, { token: changing.live });
    expect(read.body.language).toBe("pt-BR");
  });

  test("verification_code is XXXX-XXXX-XXXX in Crockford base32, in the one code space, and verify_url shows it", async () => {
    const codes = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const { body } = await call(selo, "POST", "/proofs", { token: organization.test, body: { sha256: digest() } });
      expect(body.verification_code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(body.verify_url).toBe(`http://selo.test/verify/${body.verification_code}`);
      const { rows } = await selo.database.admin.query(
        "select tenant_id, environment, subject_type, subject_id from platform.public_codes where code = $1",
        [body.verification_code],
      );
      expect(rows).toEqual([
        { tenant_id: organization.id, environment: "test", subject_type: "proof", subject_id: body.id },
      ]);
      codes.add(body.verification_code);
    }
    expect(codes.size).toBe(5);
  });

  test("created is false on reads, and a read is otherwise what the POST answered", async () => {
    const { body } = await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256: digest() } });
    const read = await call(selo, "GET", `/proofs/${body.id}`, { token: organization.live });
    expect(read.status).toBe(200);
    expect(read.body).toEqual({ ...body, created: false });
    const list = await call(selo, "GET", "/proofs?limit=1", { token: organization.live });
    expect(list.body.items).toEqual([{ ...body, created: false }]);
  });
});

describe("GET /proofs/{id}", () => {
  test("another organization's proof, the other environment's and an unknown id are 404 not_found", async () => {
    const stranger = await selo.newOrganization();
    const { body } = await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256: digest() } });
    for (const token of [organization.test, stranger.live, stranger.test]) {
      expectError(await call(selo, "GET", `/proofs/${body.id}`, { token }), 404, "not_found");
    }
    for (const id of ["0197a0c0-0000-7000-8000-000000000000", "3f2b7c1e-8d4a-4b6f-9c3d-1a2b3c4d5e6f"]) {
      expectError(await call(selo, "GET", `/proofs/${id}`, { token: organization.live }), 404, "not_found");
    }
    const upper = await call(selo, "GET", `/proofs/${body.id.toUpperCase()}`, { token: organization.live });
    expect(upper.status).toBe(200);
  });

  test.each([
    "1",
    "not-a-uuid",
    "0197a0c0-0000-7000-8000-00000000000",
    "0197a0c0-0000-7000-8000-0000000000000",
    "0197a0c000007000800000000000000g",
    "{0197a0c0-0000-7000-8000-000000000000}",
    "%00",
    "%F0%9F%98%80",
    "..%2Fpublic",
    "x".repeat(400),
  ])("a malformed id is 422: %s", async (id) => {
    expectError(await call(selo, "GET", `/proofs/${id}`, { token: organization.live }), 422, "invalid_request", ["id"]);
  });
});

describe("credits", () => {
  test("a new proof costs one signature credit, with the proof as the reason in the ledger", async () => {
    const paying = await selo.newOrganization({ credits: 3 });
    const { body } = await call(selo, "POST", "/proofs", { token: paying.live, body: { sha256: digest() } });
    expect(await signatureCredits(selo, paying.id)).toBe(2);
    const { rows } = await selo.database.admin.query(
      "select amount::int, kind, reason, subject_id from platform.credit_ledger where tenant_id = $1 and amount < 0",
      [paying.id],
    );
    expect(rows).toEqual([{ amount: -1, kind: "signature", reason: "proof_registered", subject_id: body.id }]);
  });

  test("without signature credits: 402 insufficient_credits and nothing is recorded, as JSON and as a file", async () => {
    const poor = await selo.newOrganization({ credits: 0 });
    await selo.operator.grantCredits(poor.id, "icp_brasil", 5); // the other balance does not pay
    const rows = await countRows(selo);
    expectError(
      await call(selo, "POST", "/proofs", { token: poor.live, body: { sha256: digest() } }),
      402,
      "insufficient_credits",
    );
    const { bytes, headers } = multipartBody([filePart(randomBytes(100))]);
    expectError(
      await call(selo, "POST", "/proofs", { token: poor.live, body: bytes, headers, key: "file" }),
      402,
      "insufficient_credits",
    );
    expect(await countRows(selo)).toEqual(rows);
    const list = await call(selo, "GET", "/proofs", { token: poor.live });
    expect(list.body).toMatchObject({ items: [], total: 0 });
  });

  test("a digest that is registered already needs no credit", async () => {
    const last = await selo.newOrganization({ credits: 1 });
    const sha256 = digest();
    expect((await call(selo, "POST", "/proofs", { token: last.live, body: { sha256 } })).status).toBe(201);
    expect((await call(selo, "POST", "/proofs", { token: last.live, body: { sha256 } })).status).toBe(200);
    expectError(
      await call(selo, "POST", "/proofs", { token: last.live, body: { sha256: digest() } }),
      402,
      "insufficient_credits",
    );
  });

  test("the test environment consumes nothing and needs nothing", async () => {
    const poor = await selo.newOrganization({ credits: 0 });
    const { status } = await call(selo, "POST", "/proofs", { token: poor.test, body: { sha256: digest() } });
    expect(status).toBe(201);
    const rich = await selo.newOrganization({ credits: 7 });
    await call(selo, "POST", "/proofs", { token: rich.test, body: { sha256: digest() } });
    expect(await signatureCredits(selo, rich.id)).toBe(7);
  });
});

test("another organization, and the other environment, may register the same digest as its own proof", async () => {
  const other = await selo.newOrganization({ name: "Other" });
  const sha256 = digest();
  const tokens = [organization.live, organization.test, other.live, other.test];
  const made = await Promise.all(tokens.map((token) => call(selo, "POST", "/proofs", { token, body: { sha256 } })));
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(4);
  expect(new Set(made.map(({ body }) => body.verification_code)).size).toBe(4);
  expect(made[2]?.body.evidence).toMatchObject({ organization: "Other", tenant_id: other.id });
});

test("the same digest by JSON and by multipart is one proof", async () => {
  const file = randomBytes(500);
  const sha256 = createHash("sha256").update(file).digest("hex");
  const { bytes, headers } = multipartBody([textPart("label", "from a file"), filePart(file, "a.bin")]);
  const uploaded = await call(selo, "POST", "/proofs", { token: organization.live, body: bytes, headers });
  expect(uploaded.status).toBe(201);
  expect(uploaded.body).toMatchObject({ sha256, file_name: "a.bin", file_size: 500, label: "from a file" });
  const again = await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256 } });
  expect(again.status).toBe(200);
  expect(again.body).toEqual({ ...uploaded.body, created: false });
});

test("GET /public/platform-key lists both keys of both environments to anyone, and no secret", async () => {
  const response = await call(selo, "GET", "/public/platform-key");
  expect(response.status).toBe(200);
  expect(Object.keys(response.body)).toEqual(["platform_keys", "seal_certificates", "own_seal_certificates"]);
  for (const { certificate, ...described } of response.body.seal_certificates) {
    expect(Object.keys(described)).toEqual([
      "certificate_id",
      "environment",
      "not_before",
      "not_after",
      "status",
      "created_at",
      "retired_at",
    ]);
    expect(new X509Certificate(Buffer.from(certificate, "base64")).publicKey.asymmetricKeyType).toBe("rsa");
  }
  const keys = response.body.platform_keys as Record<string, string>[];
  expect(keys.map((key) => `${key["environment"]} ${key["algorithm"]}`).sort()).toEqual([
    "live Ed25519",
    "live ML-DSA-87",
    "test Ed25519",
    "test ML-DSA-87",
  ]);
  for (const key of keys) {
    expect(Object.keys(key)).toEqual([
      "key_id",
      "algorithm",
      "public_key",
      "environment",
      "status",
      "created_at",
      "retired_at",
    ]);
    expect(Buffer.from(key["public_key"] ?? "", "base64")).toHaveLength(key["algorithm"] === "Ed25519" ? 32 : 2592);
    expect(key["public_key"]).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(key).toMatchObject({ status: "active", retired_at: null });
    expect(key["created_at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  }
  // Also with a token, good or not: the path is for anyone.
  expect((await call(selo, "GET", "/public/platform-key", { token: organization.live })).text).toBe(response.text);
  expect((await call(selo, "GET", "/public/platform-key", { token: "svc_live_nonsense" })).status).toBe(200);
});
