// A request is found again in Postgres: while its statements run, application_name ends in its X-Request-Id.
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call } from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
let proof: { readonly id: string; readonly verification_code: string };
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  proof = (await register()).body;
});
afterAll(() => selo.stop());

const register = () =>
  call(selo, "POST", "/proofs", { token: organization.live, body: { sha256: randomBytes(32).toString("hex") } });

interface Answered {
  readonly status: number;
  readonly headers: Headers;
}

/** Names of the connections that wait for the table of proofs while these requests are under way, and their answers. */
async function heldUp(
  requests: () => Promise<Answered>[],
  awaited = /^/,
): Promise<{ readonly names: string[]; readonly answers: Answered[] }> {
  const holder = await selo.database.admin.connect();
  try {
    await holder.query("begin; lock table signature.proofs in access exclusive mode");
    const answers = Promise.all(requests());
    let names: string[] = [];
    const isThere = async () => {
      // One statement would copy the names first and look who waits later, when an idle connection has begun to.
      const waiting = await selo.database.admin.query<{ pid: number }>(
        // Tables of other tests' databases, which are copies of one, have the same oid.
        `select pid from pg_locks where relation = 'signature.proofs'::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      const { rows } = await selo.database.admin.query<{ name: string }>(
        "select application_name as name from pg_stat_activity where pid = any ($1)",
        [waiting.rows.map(({ pid }) => pid)],
      );
      names = rows.map(({ name }) => name);
      return names.some((name) => awaited.test(name));
    };
    await expect.poll(isThere).toBe(true);
    await holder.query("rollback");
    return { names, answers: await answers };
  } finally {
    // With its lock, if the test failed.
    holder.release(true);
  }
}

const query = (token: string | null, text: string) => graphql(selo, token, text);
const digest = () => `"${randomBytes(32).toString("hex")}"`;

describe("application_name ends in the request's X-Request-Id", () => {
  test.each([
    ["POST /proofs", register],
    ["GET /proofs", () => call(selo, "GET", "/proofs", { token: organization.live })],
    ["GET /proofs/{id}", () => call(selo, "GET", `/proofs/${proof.id}`, { token: organization.live })],
    ["GET /proofs/{id}/receipt", () => call(selo, "GET", `/proofs/${proof.id}/receipt`, { token: organization.live })],
    ["GET /public/proofs/{code}", () => call(selo, "GET", `/public/proofs/${proof.verification_code}`)],
    ["a GraphQL query", () => query(organization.live, "{ proofs { nodes { id } } }")],
    [
      "a GraphQL query without a token",
      () => query(null, `{ publicProof(code: "${proof.verification_code}") { verification { valid } } }`),
    ],
    [
      "a GraphQL mutation",
      () => query(organization.live, `mutation { registerProof(input: {sha256: ${digest()}}) { proof { id } } }`),
    ],
  ])("%s", async (_, request) => {
    const { names, answers } = await heldUp(() => [request()]);
    expect(answers[0]?.status).toBeLessThan(300);
    expect(names).toEqual([`selo gateway ${answers[0]?.headers.get("x-request-id")}`]);
  });

  test("as a digest where a caller chose it: every login of the database can read the name", async () => {
    const chosen = "acme.invoice-2231";
    const headers = { "x-request-id": chosen };
    const { names } = await heldUp(() => [call(selo, "GET", "/proofs", { token: organization.live, headers })]);
    expect(names).toEqual([`selo gateway ${createHash("sha256").update(chosen).digest("hex").slice(0, 16)}`]);
  });

  test("of proofs that travel together the first one's, and how many come with it", async () => {
    const { answers, names } = await heldUp(() => Array.from({ length: 12 }, register), /\+/);
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    const together = names.filter((name) => name.includes("+"));
    for (const name of together) {
      const [, id, others] = /^selo gateway (\S{36}) \+(\d+)$/.exec(name) ?? [];
      expect(ids).toContain(id);
      expect(Number(others)).toBeGreaterThan(0);
    }
    // Each keeps its own in the audit trail. A busy machine may hold some up for longer than they wait.
    const registered = answers.filter(({ status }) => status !== 503).map(({ headers }) => headers.get("x-request-id"));
    expect(registered.length).toBeGreaterThan(0);
    const { rows } = await selo.database.admin.query<{ id: string }>(
      "select request_id as id from platform.audit_events where action = 'proof.registered' and request_id = any ($1)",
      [ids],
    );
    expect(rows.map(({ id }) => id).sort()).toEqual([...registered].sort());
  });

  test("and nothing of it is left on the connection afterwards", async () => {
    const { rows } = await selo.database.admin.query(
      "select from pg_stat_activity where datname = current_database() and application_name like 'selo gateway %'",
    );
    expect(rows).toEqual([]);
  });
});
