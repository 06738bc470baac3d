import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

const PROOF = `id sha256 label fileName fileSize language registeredAt verificationCode verifyUrl evidence
  platformSignature platformKeyId platformSignaturePq platformPqKeyId evidenceSignatureAlgorithms`;
const REGISTER = `mutation($input: RegisterProofInput!) { registerProof(input: $input) { created proof { ${PROOF} } } }`;

interface Proof {
  readonly id: string;
  readonly sha256: string;
  readonly registeredAt: string;
  readonly evidence: Record<string, unknown>;
}
interface Registered {
  readonly created: boolean;
  readonly proof: Proof;
}
const digest = () => randomBytes(32).toString("hex");
const registered = (answer: GraphqlAnswer) => answered<Registered>(answer, "registerProof");
const register = async (token: string, input: object, headers?: Record<string, string>) =>
  graphql(selo, token, REGISTER, { input }, headers);
const codes = ({ status, errors }: GraphqlAnswer) => [status, ...errors.map(({ extensions }) => extensions.code)];
const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

describe("registerProof", () => {
  test("answers what REST answers, in GraphQL's names", async () => {
    const sha256 = digest();
    const answer = await register(organization.live, { sha256, label: "ação 🎉", fileName: "a.pdf", fileSize: 5 });
    expect(codes(answer)).toEqual([200]);
    const { created, proof } = registered(answer);
    expect(created).toBe(true);
    expect(proof).toMatchObject({ sha256, label: "ação 🎉", fileName: "a.pdf", fileSize: "5", language: "en" });

    const response = await fetch(`${selo.baseUrl}/api/v1/proofs/${proof.id}`, {
      headers: { authorization: `Bearer ${organization.live}` },
    });
    const { created: _, ...rest } = (await response.json()) as Record<string, unknown>;
    const renamed = Object.fromEntries(Object.entries(rest).map(([name, value]) => [camelCase(name), value]));
    expect(proof).toEqual({ ...renamed, fileSize: String(renamed.fileSize) });
    expect(proof.registeredAt).toBe(String(proof.evidence.registered_at).replace("+00:00", "Z"));

    const read = await graphql(selo, organization.live, `query($id: ID!) { proof(id: $id) { ${PROOF} } }`, {
      id: proof.id,
    });
    expect(read.data).toEqual({ proof });
  });

  test("of a digest registered before answers that proof with created false", async () => {
    const sha256 = digest();
    const first = registered(await register(organization.live, { sha256 }));
    expect(registered(await register(organization.live, { sha256, label: "later" }))).toEqual({
      ...first,
      created: false,
    });
  });

  test("with proofs:write alone still gets the whole proof, of its own and of an earlier registration, and no other", async () => {
    const writer = await organization.token("live", ["proofs:write"]);
    const earlier = registered(await register(organization.live, { sha256: digest(), label: "earlier" }));
    const again = await register(writer, { sha256: earlier.proof.sha256 });
    expect(registered(again)).toEqual({ ...earlier, created: false });
    expect(codes(await register(writer, { sha256: digest() }))).toEqual([200]);
    for (const [read, data] of [
      [`proof(id: "${earlier.proof.id}") { id }`, { proof: null }],
      ["proofs { nodes { id } }", null],
      [`proofs(search: "earlier") { nodes { id } }`, null],
    ] as const) {
      const answer = await graphql(selo, writer, `{ ${read} }`);
      expect(answer.data).toEqual(data);
      expect(codes(answer)).toEqual([403, "missing_scope"]);
    }
  });

  test("mutations of one request run one after the other, each by itself", async () => {
    const sha256 = digest();
    const both = `mutation($good: RegisterProofInput!) {
      first: registerProof(input: $good) { created }
      broken: registerProof(input: {sha256: "x"}) { created }
      again: registerProof(input: $good) { created }
    }`;
    const answer = await graphql(selo, organization.live, both, { good: { sha256 } });
    expect(answer.data).toEqual({ first: { created: true }, broken: null, again: { created: false } });
    expect(codes(answer)).toEqual([200, "invalid_request"]);
    expect(answer.errors[0]?.path).toEqual(["broken"]);
  });

  test("a size of too many digits: 422 naming it", async () => {
    const answer = await register(organization.live, { sha256: digest(), fileSize: "9007199254740992" });
    expect(codes(answer)).toEqual([422, "invalid_request"]);
    expect(answer.errors[0]?.extensions.fields?.map(({ field }) => field)).toEqual(["fileSize"]);
  });

  test("takes everything at its limit, and sizes as numbers or digits", async () => {
    const sizes = [0, "0", 2 ** 31, Number.MAX_SAFE_INTEGER, "9007199254740991"];
    for (const fileSize of sizes) {
      const input = { sha256: digest(), label: "🎉".repeat(200), fileName: "x".repeat(255), fileSize };
      expect(registered(await register(organization.live, input)).proof).toMatchObject({ fileSize: String(fileSize) });
    }
    const literal = `mutation { registerProof(input: {sha256: "${digest()}", fileSize: 9007199254740991}) { proof { fileSize } } }`;
    expect((await graphql(selo, organization.live, literal)).data).toEqual({
      registerProof: { proof: { fileSize: "9007199254740991" } },
    });
  });

  test("without credit: 402 and nothing recorded", async () => {
    const poor = await selo.newOrganization({ credits: 0 });
    expect(codes(await register(poor.live, { sha256: digest() }))).toEqual([402, "insufficient_credits"]);
    expect((await graphql(selo, poor.live, "{ proofs { nodes { id } } }")).data).toEqual({ proofs: { nodes: [] } });
  });
});

describe("isolation", () => {
  const operations = (proof: Proof) => ({
    proof: `{ proof(id: "${proof.id}") { id } }`,
    proofs: "{ proofs { nodes { id } } }",
    filtered: `{ proofs(filter: {registeredAt: {equalTo: "${proof.registeredAt}"}}) { nodes { id } } }`,
    backwards: "{ proofs(orderBy: REGISTERED_AT_ASC, last: 10) { nodes { id } } }",
    searched: `{ proofs(search: "${proof.sha256}") { nodes { id } } }`,
  });

  test("another organization and another environment see nothing of a proof; its own sees it", async () => {
    const { proof } = registered(await register(organization.live, { sha256: digest() }));
    const other = await selo.newOrganization();
    for (const [name, query] of Object.entries(operations(proof))) {
      for (const token of [other.live, other.test, organization.test]) {
        const answer = await graphql(selo, token, query);
        expect(codes(answer), name).toEqual([200]);
        expect(JSON.stringify(answer.data), name).not.toContain(proof.id);
      }
      expect(JSON.stringify((await graphql(selo, organization.live, query)).data), name).toContain(proof.id);
    }
  });

  test("the digest of another organization or environment is new to one's own", async () => {
    const sha256 = digest();
    const other = await selo.newOrganization();
    const proofs = await Promise.all(
      [organization.live, organization.test, other.live, other.test].map(async (token) =>
        registered(await register(token, { sha256 })),
      ),
    );
    expect(proofs.map(({ created }) => created)).toEqual([true, true, true, true]);
    expect(new Set(proofs.map(({ proof }) => proof.id)).size).toBe(4);
  });

  test("a request cannot bring its own context", async () => {
    const { proof } = registered(await register(organization.live, { sha256: digest() }));
    const other = await selo.newOrganization();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        graphql(selo, turn % 2 ? other.live : organization.live, `{ proof(id: "${proof.id}") { id } }`),
      ),
    );
    expect(answers.map(({ data }) => data?.proof !== null)).toEqual(answers.map((_, turn) => turn % 2 === 0));
  });
});

describe("a search", () => {
  test("for nothing finds everything, newest first", async () => {
    const own = await selo.newOrganization();
    const ids: string[] = [];
    for (const label of [null, "a label", null])
      ids.unshift(registered(await register(own.live, { sha256: digest(), label })).proof.id);
    const answer = await graphql(selo, own.live, `{ proofs(search: "") { nodes { id } } }`);
    expect(answered<{ nodes: { id: string }[] }>(answer, "proofs").nodes.map(({ id }) => id)).toEqual(ids);
  });
});

describe("lists", () => {
  test("newest first by default, page by page through cursors, both ways", async () => {
    const own = await selo.newOrganization();
    const ids: string[] = [];
    for (let turn = 0; turn < 5; turn++)
      ids.unshift(registered(await register(own.live, { sha256: digest() })).proof.id);
    const page = async (args: string) => {
      const answer = await graphql(
        selo,
        own.live,
        `{ proofs(${args}) { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      );
      expect(answer.errors).toEqual([]);
      const { nodes, pageInfo } = answered<{
        nodes: { id: string }[];
        pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
      }>(answer, "proofs");
      return { ids: nodes.map(({ id }) => id), ...pageInfo };
    };
    const first = await page("first: 2");
    expect(first).toMatchObject({ ids: ids.slice(0, 2), hasNextPage: true });
    const second = await page(`first: 2, after: "${first.endCursor}"`);
    expect(second.ids).toEqual(ids.slice(2, 4));
    expect(await page(`first: 2, after: "${second.endCursor}"`)).toMatchObject({
      ids: ids.slice(4),
      hasNextPage: false,
    });
    expect((await page(`last: 2, before: "${second.startCursor}"`)).ids).toEqual(ids.slice(0, 2));
    expect((await page("last: 2")).ids).toEqual(ids.slice(3));
    expect((await page("orderBy: REGISTERED_AT_ASC")).ids).toEqual([...ids].reverse());
    expect((await page("orderBy: null")).ids.length).toBe(5);
  });

  test("by registration time, with and without bounds", async () => {
    const own = await selo.newOrganization();
    const [older, newer] = [
      registered(await register(own.live, { sha256: digest() })).proof,
      registered(await register(own.live, { sha256: digest() })).proof,
    ];
    const filtered = async (filter: string) => {
      const answer = await graphql(selo, own.live, `{ proofs(filter: ${filter}) { nodes { id } } }`);
      expect(answer.errors).toEqual([]);
      return answered<{ nodes: { id: string }[] }>(answer, "proofs").nodes.map(({ id }) => id);
    };
    expect(await filtered(`{registeredAt: {lessThan: "${newer.registeredAt}"}}`)).toEqual([older.id]);
    expect(await filtered(`{registeredAt: {greaterThanOrEqualTo: "${newer.registeredAt}"}}`)).toEqual([newer.id]);
    expect(await filtered("{}")).toEqual([newer.id, older.id]);
    expect(await filtered("{registeredAt: {}}")).toEqual([newer.id, older.id]);
    expect(await filtered("null")).toEqual([newer.id, older.id]);
  });

  test("a page has 50 items by default and 200 at most", async () => {
    const own = await selo.newOrganization({ credits: 300 });
    const inputs = Array.from({ length: 201 }, () => ({ sha256: digest(), label: "many" }));
    for (let start = 0; start < inputs.length; start += 25)
      await Promise.all(inputs.slice(start, start + 25).map((input) => register(own.live, input)));
    const count = async (field: string) => {
      const { data, errors } = await graphql(selo, own.live, `{ ${field} }`);
      expect(errors).toEqual([]);
      return JSON.stringify(data).match(/"id"/g)?.length;
    };
    expect(await count("proofs { nodes { id } }")).toBe(50);
    expect(await count("proofs(first: 200) { nodes { id } }")).toBe(200);
    expect(await count("proofs(last: 200) { nodes { id } }")).toBe(200);
    expect(await count(`proofs(search: "many") { nodes { id } }`)).toBe(50);
    expect(await count(`proofs(search: "many", first: 200) { nodes { id } }`)).toBe(200);
  });

  test.each([
    ["first", "proofs(first: 201) { nodes { id } }"],
    ["first", "proofs(first: 0) { nodes { id } }"],
    ["last", "proofs(last: 201) { nodes { id } }"],
    ["last", "proofs(first: 1, last: 1) { nodes { id } }"],
    ["after", `proofs(after: "nonsense") { nodes { id } }`],
    ["after", `proofs(after: "WyJhIiwxLDJd") { nodes { id } }`],
    ["lessThan", `proofs(filter: {registeredAt: {lessThan: "yesterday"}}) { nodes { id } }`, 400],
    ["lessThan", `proofs(filter: {registeredAt: {lessThan: "2026-13-20T00:00:00Z"}}) { nodes { id } }`, 400],
    ["", `proofs(filter: {registeredAt: {lessThan: "0000-01-01T00:00:00Z"}}) { nodes { id } }`],
    ["id", `proof(id: "nonsense") { id }`],
  ])("refused, naming '%s': %s", async (field, selection, status = 422) => {
    const answer = await graphql(selo, organization.live, `{ ${selection} }`);
    expect(codes(answer)).toEqual([status, "invalid_request"]);
    expect(answer.errors[0]?.extensions.fields?.map((each) => each.field)).toEqual([field]);
  });
});

describe("Idempotency-Key", () => {
  const key = () => ({ "idempotency-key": randomBytes(8).toString("hex") });

  test("the same request again gets the same data and says so", async () => {
    const headers = key();
    const input = { sha256: digest(), label: "x", fileSize: 5 };
    const first = await register(organization.live, input, headers);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const again = await register(organization.live, { ...input, fileSize: "5" }, headers);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.data).toEqual(first.data);
    expect(registered(again).created).toBe(true);
  });

  test("for a digest registered before, too", async () => {
    const headers = key();
    const input = { sha256: digest() };
    await register(organization.live, input);
    const first = await register(organization.live, input, headers);
    const again = await register(organization.live, input, headers);
    expect(registered(first).created).toBe(false);
    expect([again.data, again.headers.get("idempotent-replayed")]).toEqual([first.data, "true"]);
  });

  test("another payload, document or operation under the same key is 409", async () => {
    const headers = key();
    const input = { sha256: digest() };
    await register(organization.live, input, headers);
    const conflict = [409, "conflict"];
    expect(codes(await register(organization.live, { ...input, label: "x" }, headers))).toEqual(conflict);
    expect(codes(await register(organization.live, { sha256: digest() }, headers))).toEqual(conflict);
    const other = "mutation($input: RegisterProofInput!) { registerProof(input: $input) { created } }";
    expect(codes(await graphql(selo, organization.live, other, { input }, headers))).toEqual(conflict);
    const named = JSON.stringify({ sha256: input.sha256 });
    const rest = await fetch(`${selo.baseUrl}/api/v1/proofs`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${organization.live}`, "content-type": "application/json" },
      body: named,
    });
    expect(rest.status).toBe(409);
  });

  test("belongs to one organization and environment", async () => {
    const headers = key();
    const input = { sha256: digest() };
    await register(organization.live, input, headers);
    const other = await selo.newOrganization();
    for (const token of [organization.test, other.live]) {
      const answer = await register(token, input, headers);
      expect([registered(answer).created, answer.headers.get("idempotent-replayed")]).toEqual([true, null]);
    }
  });

  test("twelve at once run once", async () => {
    const headers = key();
    const input = { sha256: digest() };
    const answers = await Promise.all(Array.from({ length: 12 }, () => register(organization.live, input, headers)));
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(answers.filter(({ headers: got }) => got.get("idempotent-replayed") === null).length).toBe(1);
    expect(registered(answers[0] as GraphqlAnswer).created).toBe(true);
  });

  test("a failure stores nothing", async () => {
    const headers = key();
    const poor = await selo.newOrganization({ credits: 0 });
    const input = { sha256: digest() };
    expect(codes(await register(poor.live, input, headers))).toEqual([402, "insufficient_credits"]);
    await selo.operator.grantCredits(poor.id, "signature", 1);
    const answer = await register(poor.live, input, headers);
    expect([registered(answer).created, answer.headers.get("idempotent-replayed")]).toEqual([true, null]);
  });

  test("is not replayed to a token that could not have asked", async () => {
    const headers = key();
    const input = { sha256: digest() };
    await register(organization.live, input, headers);
    const reader = await organization.token("live", ["proofs:read"]);
    expect(codes(await register(reader, input, headers))).toEqual([403, "missing_scope"]);
  });

  test("with more than one root field, also through fragments, is 400; __typename is none", async () => {
    const one = `registerProof(input: {sha256: "${digest()}"}) { created }`;
    const refused = [
      `mutation { a: ${one} b: ${one} }`,
      `mutation { a: ${one} ...more } fragment more on Mutation { b: ${one} }`,
      `mutation { ... { a: ${one} } ... on Mutation { b: ${one} } }`,
    ];
    for (const query of refused)
      expect(codes(await graphql(selo, organization.live, query, undefined, key()))).toEqual([400, "invalid_request"]);
    const allowed = `mutation { __typename ...one } fragment one on Mutation { ${one} }`;
    expect(codes(await graphql(selo, organization.live, allowed, undefined, key()))).toEqual([200]);
  });

  test("1 to 255 visible characters, otherwise 400 before anything runs; queries do not read it", async () => {
    const sha256 = digest();
    for (const bad of ["a b", "x".repeat(256), "ä"]) {
      const answer = await register(organization.live, { sha256 }, { "idempotency-key": bad });
      expect(codes(answer)).toEqual([400, "invalid_request"]);
      expect(answer.errors[0]?.extensions.fields).toMatchObject([{ field: "Idempotency-Key" }]);
    }
    expect(
      registered(await register(organization.live, { sha256 }, { "idempotency-key": "x".repeat(255) })).created,
    ).toBe(true);
    const query = await graphql(selo, organization.live, "{ a: __typename b: __typename }", undefined, {
      "idempotency-key": "a b",
    });
    expect(codes(query)).toEqual([200]);
  });
});
