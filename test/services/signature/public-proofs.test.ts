// GET /public/proofs/{code} and POST /public/proofs/verify: what anyone may see of a proof (signature-service §4).
import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEvidence } from "../../../src/verifier/evidence.ts";
import { readKeys } from "../../../src/verifier/keys.ts";
import { verify } from "../../../src/verifier/verify.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { canonicalByPython } from "../../support/python.ts";
import { call, countRows, expectCommonHeaders, expectError, type RestResponse } from "../../support/rest-client.ts";

/** By its path, not by an import: its types are the browser's, which are not known here. */
const CODE_FORM = path.resolve(import.meta.dirname, "../../../src/web/shell/code-form.tsx");

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: 'Café "Ünïcode" 🏛 \\ Ltda', credits: 1_000 });
});
afterAll(() => selo.stop());

const digest = () => randomBytes(32).toString("hex");
const find = (code: string, method = "GET") => call(selo, method, `/public/proofs/${code}`);
const verifyDigest = (sha256: string) => call(selo, "POST", "/public/proofs/verify", { body: { sha256 } });

async function register(members: object = {}, token = organization.live): Promise<RestResponse["body"]> {
  const { status, body } = await call(selo, "POST", "/proofs", { token, body: { sha256: digest(), ...members } });
  expect(status).toBe(201);
  return body;
}

async function platformKeys(): Promise<{ key_id: string }[]> {
  return (await call(selo, "GET", "/public/platform-key")).body.platform_keys;
}

describe("both ways", () => {
  test("show organization, label, digest, instant, canonical evidence, signatures, keys and what checking them gave", async () => {
    const proof = await register({ label: "Contract", file_name: "secret.pdf", file_size: 987654321 });
    const { file_name: _, file_size: __, ...evidence } = proof.evidence;
    const found = await find(proof.verification_code);
    expect(found.status).toBe(200);
    expectCommonHeaders(found);
    const keys = await platformKeys();
    expect(found.body).toEqual({
      id: proof.id,
      organization: 'Café "Ünïcode" 🏛 \\ Ltda',
      environment: "live",
      label: "Contract",
      sha256: proof.sha256,
      registered_at: proof.registered_at,
      verification_code: proof.verification_code,
      verify_url: `http://selo.test/verify/${proof.verification_code}`,
      evidence,
      redacted: ["file_name", "file_size"],
      platform_signature: proof.platform_signature,
      platform_key_id: proof.platform_key_id,
      platform_signature_pq: proof.platform_signature_pq,
      platform_pq_key_id: proof.platform_pq_key_id,
      evidence_signature_algorithms: ["Ed25519", "ML-DSA-87"],
      platform_keys: [proof.platform_key_id, proof.platform_pq_key_id].map((id) =>
        keys.find(({ key_id }) => key_id === id),
      ),
      verification: {
        valid: true,
        fault: null,
        signatures: [
          { algorithm: "Ed25519", key_id: proof.platform_key_id, valid: true },
          { algorithm: "ML-DSA-87", key_id: proof.platform_pq_key_id, valid: true },
        ],
      },
    });
    const verified = await verifyDigest(proof.sha256);
    expect(verified.status).toBe(200);
    expect(verified.text).toBe(found.text);
    expect(found.text).not.toMatch(/secret\.pdf|987654321/);
  });

  test("HEAD answers as GET does, and nothing is kept by caches", async () => {
    const { verification_code: code } = await register();
    const [get, head, missing] = [await find(code), await find(code, "HEAD"), await find("0000-0000-0000")];
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: "" });
    expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
    for (const response of [get, head, missing]) expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("write nothing, whatever is asked", async () => {
    const proof = await register();
    const rows = await countRows(selo);
    await find(proof.verification_code);
    await find("0000-0000-0000");
    await verifyDigest(proof.sha256);
    await verifyDigest(digest());
    await call(selo, "POST", "/public/proofs/verify", { key: "a key", body: { sha256: proof.sha256 } });
    expect(await countRows(selo)).toEqual(rows);
  });

  test("an Authorization header, good, wrong or broken, changes nothing", async () => {
    const proof = await register();
    const { text } = await find(proof.verification_code);
    for (const authorization of [`Bearer ${organization.test}`, `Bearer svc_live_${"A".repeat(43)}`, "Basic x", "x"]) {
      const headers = { authorization };
      const byCode = await call(selo, "GET", `/public/proofs/${proof.verification_code}`, { headers });
      const body = { sha256: proof.sha256 };
      const byDigest = await call(selo, "POST", "/public/proofs/verify", { headers, body });
      expect([byCode.text, byDigest.text]).toEqual([text, text]);
    }
  });
});

test("asked at the same moment by many, for this and for that, each is answered what he is answered alone", async () => {
  const stranger = await selo.newOrganization({ name: "Stranger" });
  const proofs = [await register({ label: "mine" }), await register({ label: "other" }, stranger.live)];
  const asks = proofs.flatMap(({ id, sha256, verification_code: code }) => [
    () => find(code),
    () => find(code.toLowerCase()),
    () => find(`${code}0`),
    () => verifyDigest(sha256),
    () => verifyDigest(sha256.slice(1)),
    ...[organization.live, organization.test, stranger.live, null].flatMap((token) => [
      () => call(selo, "GET", `/proofs/${id}`, { token }),
      () => call(selo, "GET", `/proofs?search=${sha256}`, { token }),
    ]),
  ]);
  const shape = ({ status, text, headers }: RestResponse) => ({
    status,
    // A refusal holds the id of its request.
    text: text.replace(headers.get("x-request-id") ?? "", "ID"),
  });
  const alone = [];
  for (const ask of asks) alone.push(shape(await ask()));
  expect(new Set(alone.map(({ status }) => status))).toEqual(new Set([200, 401, 404, 422]));
  for (let round = 0; round < 5; round++)
    expect((await Promise.all(asks.map((ask) => ask()))).map(shape)).toEqual(alone);
});

describe("the public evidence", () => {
  const labels = [null, "", 'Étiquette 🏷 \u2028 \\ " </script>', "\u0001\t\u007f"];
  const names = [null, "", "ﬁ-😀.pdf"];
  const sizes = [null, 0, 2 ** 53 - 1];
  const cases = labels.flatMap((label) =>
    names.flatMap((file_name) => sizes.map((file_size) => ({ label, file_name, file_size }))),
  );

  test("carries name and size only when they are null, otherwise lists them in redacted", async () => {
    const [restored, signed]: [object[], string[]] = [[], []];
    for (const members of cases) {
      const proof = await register(members);
      const { body } = await find(proof.verification_code);
      const { label, ...hideable } = members;
      const hidden = Object.entries(hideable).filter(([, value]) => value !== null);
      expect(body).toMatchObject({ label, redacted: hidden.map(([name]) => name) });
      const shown = Object.entries(body.evidence).filter(([name]) => name in hideable);
      expect(Object.fromEntries([...shown, ...hidden])).toEqual(hideable);
      expect(shown.length + hidden.length).toBe(2);
      // What is left stands in canonical order.
      expect(Object.keys(body.evidence)).toEqual(Object.keys(body.evidence).sort());
      restored.push({ ...body.evidence, ...Object.fromEntries(hidden) });
      const { rows } = await selo.database.admin.query("select evidence from signature.proofs where id = $1", [
        proof.id,
      ]);
      signed.push(rows[0].evidence);
    }
    // With what was left out put in again it is, byte for byte, what was signed.
    expect(canonicalByPython(restored).toString()).toBe(`[${signed.join(",")}]`);
  });

  test("is verified offline by whoever has the file", async () => {
    const file = randomBytes(100);
    const sha256 = createHash("sha256").update(file).digest("hex");
    const proof = await register({ sha256, label: "ação", file_name: "relatório.pdf", file_size: 100 });
    const { text } = await find(proof.verification_code);
    const keys = readKeys(JSON.stringify(await platformKeys()));
    expect(verify(readEvidence(text), { sha256, name: "relatório.pdf", size: 100 }, keys)).toMatchObject({
      verdict: "proved",
      environment: "live",
    });
    expect(verify(readEvidence(text), { sha256, name: "outro.pdf", size: 100 }, keys).verdict).toBe("not_proved");
  });
});

const bare = (code: string) => code.replaceAll("-", "");

/** The code of a proof, with this character in it. */
async function codeWith(character: string): Promise<string> {
  for (;;) {
    const { verification_code } = await register();
    if (verification_code.includes(character)) return verification_code;
  }
}

/** A character of a code as people write it. */
function spellingsOf(character: string): fc.Arbitrary<string> {
  const lookAlikes: Readonly<Record<string, readonly string[]>> = { 0: ["O", "o"], 1: ["I", "i", "L", "l"] };
  return fc.constantFrom(character, character.toLowerCase(), ...(lookAlikes[character] ?? []));
}

describe("a code", () => {
  test("is read in lower case, with or without dashes and spaces, with O as 0 and I and L as 1", async () => {
    // One with each of the digits that letters are taken for: a third of all codes has it.
    const codes = await Promise.all(["0", "1"].map(codeWith));
    const dashes = fc.array(fc.constantFrom("", "-", "%20", "%E2%80%93", "%C2%A0"), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...codes)
          .chain((code) => fc.tuple(fc.constant(code), fc.tuple(...[...bare(code)].map(spellingsOf)))),
        dashes,
        async ([code, characters], between) => {
          const found = await find(characters.map((character, place) => character + between[place]).join(""));
          expect({ status: found.status, code: found.body.verification_code }).toEqual({ status: 200, code });
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each([
    ["of no proof", "ZZZZ-ZZZZ-ZZZZ"],
    ["with a letter that no code has", "UUUU-UUUU-UUUU"],
    ["too short", "0000-0000-000"],
    ["too long", "0000-0000-00000"],
    ["of dashes", "----"],
    ["of 500 characters", "0".repeat(500)],
    ["of 501 characters", "0".repeat(501)],
    ["of 10,000 characters", "0".repeat(10_000)],
    ["of spaces", "%20%20"],
    ["that is not ASCII", "%C3%A9000-0000-0000"],
    ["of fullwidth digits", encodeURIComponent("００００-００００-００００")],
    ["with NUL", "0000-0000-000%00"],
    ["with a slash", "0000-0000%2F0000"],
    ["with a space", "0000%200000%200000"],
    ["with a line end", "0000-0000-0000%0A"],
    ["with a percent sign", "%25"],
    ["that is SQL", "'%20or%20true--"],
    ["that is the other path's name", "verify"],
  ])("%s: 404 proof_not_found", async (_, code) => {
    expectError(await find(code), 404, "proof_not_found");
  });

  test("with a character too many, before or behind it, is none", async () => {
    const { verification_code: code } = await register();
    for (const text of [`0${code}`, `${code}0`, `${code}.`, `${code}%00`, `/${code}`])
      expectError(await find(encodeURI(text).replaceAll("%25", "%").replace("/", "%2F")), 404, "proof_not_found");
    // What it was pasted with is no such character.
    for (const around of ["%20", "%0A", "%E2%80%8B", "%C2%AD"])
      expect((await find(`${around}${code}${around}`)).body.verification_code).toBe(code);
  });

  test("is looked for in up to 100 characters", async () => {
    const { verification_code: code } = await register();
    const spaced = (length: number) => find(`${"%20".repeat(length - code.length)}${code}`);
    expect((await spaced(100)).body.verification_code).toBe(code);
    expectError(await spaced(101), 404, "proof_not_found");
  });

  test("that is not percent-encoded UTF-8 is 400", async () => {
    for (const text of ["%", "%ZZ", "%C3", "%ED%A0%80"]) expectError(await find(text), 400, "malformed_request");
  });

  test("is read by the page as it is by the database, whatever it is written with", async () => {
    const { id } = await register();
    const code = "2B1D-10ZX-Y0S1";
    await selo.database.admin.query(
      `insert into platform.public_codes (code, tenant_id, environment, subject_type, subject_id)
       values ($1, $2, 'live', 'proof', $3)`,
      [code, organization.id, id],
    );
    /** Which of the texts the database takes for the code. */
    const found = async (texts: readonly string[]): Promise<string[]> => {
      const { rows } = await selo.database.admin.query<{ text: string }>(
        "select text from unnest($1::text[]) as text where (platform.find_public_code(text)).subject_id is not null",
        [texts],
      );
      return rows.map(({ text }) => text);
    };
    const { canonicalCode } = (await import(CODE_FORM)) as { canonicalCode(typed: string): string | null };
    const letters = bare(code);
    const takesAll = byLane({ lane: false, full: true });
    // Between the others, and in the place of the S, which U+017F is the small letter of.
    const all = Array.from({ length: 0x110000 }, (_, point) => point)
      // All of the basic plane, and beyond it every dash and some others. Of its letters without case, such as Chinese ones, all in public-proofs.full.test.ts.
      .filter((point) => {
        const character = String.fromCodePoint(point);
        const isSome = point % 101 === 0 || /\p{Dash}/u.test(character);
        return point > 0 && (isSome || (point < 0x10000 && (takesAll || !/[\p{Lo}\p{Co}]/u.test(character))));
      })
      .map((point) => String.fromCodePoint(point))
      .filter((character) => character.isWellFormed())
      .flatMap((character) => [
        `${letters.slice(0, 5)}${character}${letters.slice(5)}`,
        letters.replace("S", character),
      ]);
    const taken = all.filter((text) => canonicalCode(text) === code);
    expect(taken.length).toBeGreaterThan(50);
    expect(await found(all)).toEqual(taken);

    const piece = fc.oneof(
      fc.constantFrom(..."0OoA1IiLlBZzXxYySs -\u2013\u00a0\t\n.\u017f\u0131\uff10/"),
      fc.constantFrom("2B1D", "l0zX", "yoSi", "10ZX"),
    );
    const spellings = fc.sample(
      fc.oneof(
        fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join("")),
        fc
          .tuple(...[...letters].map(spellingsOf), fc.array(piece, { maxLength: 2 }))
          .map((pieces) => pieces.flat().join("")),
      ),
      5_000,
    );
    const read = spellings.filter((text) => canonicalCode(text) === code);
    expect(read.length).toBeGreaterThan(100);
    expect(await found(spellings)).toEqual(read);
  });
});

describe("test proofs", () => {
  test("are found by code only and marked as test", async () => {
    const proof = await register({ label: "x" }, organization.test);
    const { status, body } = await find(proof.verification_code);
    expect(status).toBe(200);
    expect(body).toMatchObject({ environment: "test", verification: { valid: true, fault: null } });
    expect(body.platform_keys.map(({ environment }: { environment: string }) => environment)).toEqual(["test", "test"]);
    expectError(await verifyDigest(proof.sha256), 404, "proof_not_found");
    // Also beside a live one of the same digest, which is younger.
    const live = await register({ sha256: proof.sha256 });
    expect((await verifyDigest(proof.sha256)).body.verification_code).toBe(live.verification_code);
  });

  test("a code of one environment finds nothing in the other", async () => {
    const { id } = await register({}, organization.test);
    await selo.database.admin.query(
      "insert into platform.public_codes (code, tenant_id, environment, subject_type, subject_id) values ('7777-7777-7777', $1, 'live', 'proof', $2)",
      [organization.id, id],
    );
    expectError(await find("7777-7777-7777"), 404, "proof_not_found");
  });
});

describe("the earliest live match", () => {
  test("of several organizations is the one that registered first, however late it is asked for", async () => {
    const sha256 = digest();
    const others: TestOrganization[] = [];
    for (const number of [1, 2, 3]) others.push(await selo.newOrganization({ name: `Organization ${number}` }));
    await register({ sha256 }, others[0]?.test);
    const proofs = [];
    for (const { live } of others.reverse()) proofs.push(await register({ sha256 }, live));
    const { body } = await verifyDigest(sha256);
    expect(body).toMatchObject({ organization: "Organization 3", verification_code: proofs[0].verification_code });
    for (const proof of proofs)
      expect((await find(proof.verification_code)).body.evidence.organization).toBe(proof.evidence.organization);
  });

  test("a digest that nobody registered is 404 proof_not_found", async () => {
    expectError(await verifyDigest(digest()), 404, "proof_not_found");
  });
});
