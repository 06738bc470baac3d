// GraphQL publicProof and verifiedProof without a token: what REST shows under /public, with its limit.
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";
import { ownCpu } from "../../support/own-cpu.ts";
import { call, countRows } from "../../support/rest-client.ts";

const LIMIT = 20;
let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: String(LIMIT), TRUST_PROXY: "1" });
  organization = await selo.newOrganization({ name: "Acme" });
});
afterAll(() => selo.stop());

/** An address that no other test asks from. */
let last = 0;
let from: Record<string, string>;
beforeEach(() => {
  from = { "x-forwarded-for": `198.51.100.${++last}` };
});

const ask = (query: string, variables?: Readonly<Record<string, unknown>>, token: string | null = null) =>
  graphql(selo, token, query, variables, from);
async function register(members: object = {}, token = organization.live) {
  const body = { sha256: randomBytes(32).toString("hex"), ...members };
  const made = await call(selo, "POST", "/proofs", { token, body });
  expect(made.status).toBe(201);
  return made.body;
}
function expectRefused(answer: GraphqlAnswer, status: number, code: string): void {
  expect({ status: answer.status, codes: answer.errors.map(({ extensions }) => extensions.code) }).toEqual({
    status,
    codes: [code],
  });
}

const WHOLE = `
  proof { id organization environment label sha256 registeredAt verificationCode verifyUrl evidence redacted
    platformSignature platformKeyId platformSignaturePq platformPqKeyId evidenceSignatureAlgorithms }
  platformKeys { keyId algorithm publicKey environment status createdAt retiredAt }
  verification { valid fault signatures { algorithm keyId valid } }`;
const BY_CODE = `query ($code: String!) { publicProof(code: $code) { ${WHOLE} } }`;
const BY_DIGEST = `query ($sha256: String!) { verifiedProof(sha256: $sha256) { ${WHOLE} } }`;

/** An answer of GraphQL with the names and enums of REST. */
function asRest(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => asRest(item, name));
  if (typeof value === "string") return ["environment", "status"].includes(name) ? value.toLowerCase() : value;
  if (typeof value !== "object" || value === null || name === "evidence") return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [
      member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      asRest(inner, member),
    ]),
  );
}

test.each(["live", "test"] as const)(
  "publicProof and verifiedProof show of a %s proof what REST does",
  async (environment) => {
    const proof = await register(
      { label: "ação 🏷", file_name: "secret.pdf", file_size: 987654321 },
      organization[environment],
    );
    const rows = await countRows(selo);
    const { body } = await call(selo, "GET", `/public/proofs/${proof.verification_code}`, { headers: from });
    const { platform_keys, verification, ...shown } = body;
    const byCode = await ask(BY_CODE, { code: proof.verification_code });
    expect(byCode.errors).toEqual([]);
    expect(asRest(byCode.data?.["publicProof"])).toEqual({ proof: shown, platform_keys, verification });
    expect(byCode.headers.get("cache-control")).toBe("no-store");
    expect(JSON.stringify(byCode.data)).not.toMatch(/secret\.pdf|987654321/);

    const byDigest = await ask(BY_DIGEST, { sha256: proof.sha256 });
    if (environment === "live") expect(byDigest.data?.["verifiedProof"]).toEqual(byCode.data?.["publicProof"]);
    else expectRefused(byDigest, 404, "proof_not_found");
    expect(await countRows(selo)).toEqual(rows);
  },
);

test("a code is read however it is written", async () => {
  const { verification_code: code } = await register();
  const written = code.toLowerCase().replaceAll("-", "").replaceAll("0", "o").replaceAll("1", "l");
  const found = answered<{ proof: { verificationCode: string } }>(await ask(BY_CODE, { code: written }), "publicProof");
  expect(found.proof.verificationCode).toBe(code);
});

test("the earliest of several organizations' proofs is found", async () => {
  const sha256 = randomBytes(32).toString("hex");
  const other = await selo.newOrganization({ name: "Second" });
  await register({ sha256 });
  await register({ sha256 }, other.live);
  const found = answered<{ proof: { organization: string } }>(await ask(BY_DIGEST, { sha256 }), "verifiedProof");
  expect(found.proof.organization).toBe("Acme");
});

test.each(["ZZZZ-ZZZZ-ZZZZ", "", "0", "%", "ſſſſ-ſſſſ-ſſſſ", "０".repeat(12), "x".repeat(60_000), "0000-0000-0000\n"])(
  "publicProof of a code that is none is 404 proof_not_found",
  async (code) => {
    const answer = await ask(BY_CODE, { code });
    expectRefused(answer, 404, "proof_not_found");
    expect(answer.data).toEqual({ publicProof: null });
  },
);

test("verifiedProof of what is no digest is 422 naming sha256, of one that nobody registered 404", async () => {
  const answer = await ask(BY_DIGEST, { sha256: "" });
  expectRefused(answer, 422, "invalid_request");
  expect(answer.errors[0]?.extensions.fields).toMatchObject([{ field: "sha256" }]);
  expectRefused(await ask(BY_DIGEST, { sha256: "a".repeat(64) }), 404, "proof_not_found");
});

test("one that is not found does not keep another from being shown", async () => {
  const { verification_code: code } = await register();
  const answer = await ask(
    `query ($code: String!) { none: publicProof(code: "0") { proof { label } } found: publicProof(code: $code) { proof { verificationCode } } }`,
    { code },
  );
  expectRefused(answer, 200, "proof_not_found");
  expect(answer.data).toEqual({ none: null, found: { proof: { verificationCode: code } } });
});

test("a public proof leads nowhere else: it has these members and no others", async () => {
  const answer = await ask(`{ __type(name: "PublicProof") { fields { name type { kind ofType { kind name } } } } }`);
  const { fields } = answered<{ fields: { name: string; type: { kind: string; ofType: { kind: string } | null } }[] }>(
    answer,
    "__type",
  );
  expect(fields.map(({ name }) => name).sort()).toEqual([
    "environment",
    "evidence",
    "evidenceSignatureAlgorithms",
    "id",
    "label",
    "organization",
    "platformKeyId",
    "platformPqKeyId",
    "platformSignature",
    "platformSignaturePq",
    "redacted",
    "registeredAt",
    "sha256",
    "verificationCode",
    "verifyUrl",
  ]);
  for (const { type } of fields) expect([type.kind, type.ofType?.kind]).not.toContain("OBJECT");
});

test("a megabyte that is no code is nobody's, as often as may be asked, and keeps nobody waiting", async () => {
  const aliases = Array.from({ length: LIMIT }, (_, index) => `a${index}: publicProof(code: $code) { proof { id } }`);
  const used = await ownCpu(async () => {
    const answer = await ask(`query ($code: String!) { ${aliases.join(" ")} }`, { code: "A".repeat(1_000_000) });
    expect(answer.errors.map(({ extensions }) => extensions.code)).toEqual(Array(LIMIT).fill("proof_not_found"));
  });
  expect(used).toBeLessThan(2_000); // it was three seconds, for whoever asked meanwhile as well
});

describe("the limit of an address", () => {
  const PROOF = `publicProof(code: "0") { proof { label } }`;
  const DIGEST = `verifiedProof(sha256: "${"0".repeat(64)}") { proof { label } }`;
  /** What Postgres has counted of addresses, and so not of actors. */
  const counted = async () => {
    const client = await selo.database.admin.connect();
    try {
      const { rows: kept } = await client.query<{ key: Buffer; count: number }>("table platform.request_counts");
      await client.query("begin");
      const actors = await client.query<{ key: Buffer }>(
        `select sha256(convert_to(counted.actor, 'UTF8')) as key
         from unnest($1::bytea[]) as credential (hash), gateway.count_actor_requests(credential.hash, 1, 60) as counted`,
        [[organization.live, organization.test].map((token) => createHash("sha256").update(token).digest())],
      );
      await client.query("rollback");
      const ofAddresses = kept.filter(({ key }) => !actors.rows.some((actor) => actor.key.equals(key)));
      return ofAddresses.reduce((sum, { count }) => sum + count, 0);
    } finally {
      client.release();
    }
  };

  test.each<[string, string, anonymous: number, withToken: number]>([
    ["no field of it", "{ __typename }", 1, 0],
    ["public keys", "{ platformKeys { nodes { keyId } } }", 1, 0],
    ["introspection", "{ __schema { queryType { name } } }", 1, 0],
    ["one", `{ ${PROOF} }`, 1, 1],
    ["one beside others", `{ __typename ${PROOF} platformKeys { nodes { keyId } } }`, 2, 1],
    ["both", `{ ${PROOF} ${DIGEST} }`, 2, 2],
    ["three by aliases", `{ a: ${PROOF} b: ${PROOF} c: ${DIGEST} }`, 3, 3],
    [
      "two in a fragment, spread twice",
      `{ ...F ... on Query { ...F } } fragment F on Query { a: ${PROOF} ${DIGEST} }`,
      4,
      4,
    ],
    ["one that is skipped", `{ a: __typename ${PROOF.replace("{", "@skip(if: true) {")} }`, 1, 1],
    ["a document that is refused", "{ nothing }", 1, 0],
    ["a document that does not parse", "{", 1, 0],
    ["what asks for a token", "{ proofs { nodes { id } } }", 1, 0],
  ])("counts %s", async (_, query, anonymous, withToken) => {
    for (const [token, expected] of [
      [null, anonymous],
      [organization.test, withToken],
    ] as const) {
      await selo.database.admin.query("delete from platform.request_counts");
      await ask(query, undefined, token);
      expect({ token: token !== null, counted: await counted() }).toEqual({ token: token !== null, counted: expected });
    }
  });

  test("does not count a token that is none, nor an upload without one: both end at the door", async () => {
    await selo.database.admin.query("delete from platform.request_counts");
    expectRefused(await ask(`{ ${PROOF} }`, undefined, "nonsense"), 401, "unauthenticated");
    const response = await fetch(`${selo.baseUrl}/graphql`, { method: "POST", headers: from, body: new FormData() });
    expect(response.status).toBe(401);
    expect(await counted()).toBe(0);
  });

  test("refuses the whole request with 429 and Retry-After, aliases or not, and is that of REST", async () => {
    const { verification_code: code } = await register();
    for (let asked = 0; asked < LIMIT - 2; asked++)
      expect((await call(selo, "GET", "/public/platform-key", { headers: from })).status).toBe(200);
    const three = await ask(
      `query ($code: String!) { a: publicProof(code: $code) { proof { label } } b: publicProof(code: $code) { proof { label } } c: publicProof(code: $code) { proof { label } } }`,
      { code },
    );
    for (const answer of [
      three,
      await ask("{ __typename }"),
      await ask(`{ ${PROOF} }`, undefined, organization.live),
    ]) {
      expectRefused(answer, 429, "rate_limited");
      expect(answer.data ?? null).toBeNull();
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    }
    expect((await call(selo, "GET", "/public/platform-key", { headers: from })).status).toBe(429);
    // With a token everything else goes on, and so do other addresses.
    expect((await ask("{ proofs { nodes { id } } }", undefined, organization.live)).status).toBe(200);
    from = { "x-forwarded-for": "198.51.100.250" };
    expect((await ask(BY_CODE, { code })).status).toBe(200);
  });
});
