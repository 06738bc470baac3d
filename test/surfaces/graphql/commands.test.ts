import { randomBytes } from "node:crypto";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../../src/main/gateway.ts";
import { masterKeysOf } from "../../../src/main/master-key.ts";
import { commands } from "../../../src/postgres/generated/commands.ts";
import { migrate } from "../../../src/postgres/migrate/migrate.ts";
import { changedSource } from "../../support/changed-source.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";

/** Functions such as a later service will have in schema api: one that writes and answers a row, one that answers nothing. */
const FUNCTIONS = {
  "signature/api/relabel_newest_proof.sql": `
    create function api.relabel_newest_proof(p_new_label text, p_size bigint default 7) returns api.proofs
      language plpgsql volatile security definer set search_path = '' as $$
    declare v_proof api.proofs;
    begin
      perform platform.require_scope('proofs:write');
      if p_new_label = 'refused' then
        perform platform.fail(422, 'invalid_request', 'No.', '[{"field": "new_label", "message": "is refused"}]');
      end if;
      select proof.* into v_proof from api.proofs as proof order by proof.registered_at desc limit 1;
      v_proof.label := p_new_label || ' ' || clock_timestamp();
      v_proof.file_size := p_size;
      return v_proof;
    end $$;
    comment on function api.relabel_newest_proof(text, bigint) is E'@param newLabel What it is called from now on.\\nGives the newest proof another label.';
    grant execute on function api.relabel_newest_proof(text, bigint) to selo_app;`,
  "signature/api/do_nothing.sql": `
    create function api.do_nothing(p_id uuid) returns void
      language plpgsql volatile security definer set search_path = '' as $$
    begin perform platform.require_scope('proofs:write'); end $$;
    comment on function api.do_nothing(uuid) is 'Does nothing.';
    grant execute on function api.do_nothing(uuid) to selo_app;`,
};

/** What the generator would write for them. */
const WRITTEN = {
  relabel_newest_proof: { scope: "proofs:write", arguments: {} },
  do_nothing: {
    scope: "proofs:write",
    arguments: { id: { type: "uuid", optional: false, description: "What it is done to." } },
  },
};

let selo: TestGateway;
let gateway: Gateway;
let changed: Pick<TestGateway, "baseUrl">;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  await migrate({ adminUrl: selo.database.adminUrl, serviceUrls: [], source: changedSource(FUNCTIONS) });
  Object.assign(commands, WRITTEN);
  gateway = await startGateway({
    config: selo.config,
    databaseUrl: selo.database.appUrl,
    masterKeys: masterKeysOf(selo.config),
    log: pino({ level: "silent" }),
  });
  changed = { baseUrl: `http://127.0.0.1:${gateway.port}` };
});
afterAll(async () => {
  for (const name of Object.keys(WRITTEN)) Reflect.deleteProperty(commands, name);
  await gateway.stop();
  await selo.stop();
});

const RELABEL =
  "mutation($input: RelabelNewestProofInput!) { relabelNewestProof(input: $input) { proof { id label fileSize registeredAt evidence } } }";
const relabel = (token: string, input: object, headers?: Record<string, string>) =>
  graphql(changed, token, RELABEL, { input }, headers);
const codes = ({ status, errors }: GraphqlAnswer) => [status, ...errors.map(({ extensions }) => extensions.code)];

test("a function that writes is a mutation whose payload holds its row, read without a scope for reading", async () => {
  const sha256 = randomBytes(32).toString("hex");
  const registered = await graphql(
    changed,
    organization.live,
    `mutation { registerProof(input: {sha256: "${sha256}"}) { proof { id registeredAt evidence } } }`,
  );
  const { proof } = answered<{ proof: object }>(registered, "registerProof");
  const writer = await organization.token("live", ["proofs:write"]);
  const answer = await relabel(writer, { newLabel: "new" });
  expect(codes(answer)).toEqual([200]);
  expect(answer.data).toEqual({
    relabelNewestProof: { proof: { ...proof, label: expect.stringMatching(/^new /), fileSize: "7" } },
  });
  expect((await relabel(writer, { newLabel: "new", size: "9007199254740991" })).data).toMatchObject({
    relabelNewestProof: { proof: { fileSize: "9007199254740991" } },
  });
});

test("it asks its scope, and its errors arrive with GraphQL's names", async () => {
  const reader = await organization.token("live", ["proofs:read"]);
  expect(codes(await relabel(reader, { newLabel: "new" }))).toEqual([403, "missing_scope"]);
  const refused = await relabel(organization.live, { newLabel: "refused" });
  expect(codes(refused)).toEqual([422, "invalid_request"]);
  expect(refused.errors[0]?.extensions.fields).toEqual([{ field: "newLabel", message: "is refused" }]);
  expect(codes(await relabel(organization.live, {}))).toEqual([400, "invalid_request"]);
});

test("it honours the Idempotency-Key", async () => {
  const headers = { "idempotency-key": randomBytes(8).toString("hex") };
  const first = await relabel(organization.live, { newLabel: "once" }, headers);
  const again = await relabel(organization.live, { newLabel: "once" }, headers);
  expect(again.data).toEqual(first.data);
  expect([first, again].map((answer) => answer.headers.get("idempotent-replayed"))).toEqual([null, "true"]);
  expect(codes(await relabel(organization.live, { newLabel: "twice" }, headers))).toEqual([409, "conflict"]);
  expect((await relabel(organization.live, { newLabel: "once" })).data).not.toEqual(first.data);
});

test("a function that answers nothing says that it is done, and which id it took, in lower case", async () => {
  const answer = await graphql(
    changed,
    organization.live,
    `mutation { doNothing(input: {id: "01A1FBA4-B4C6-717B-8089-2CD0F88410EC"}) { done id } }`,
  );
  const id = "01a1fba4-b4c6-717b-8089-2cd0f88410ec";
  expect(answer).toMatchObject({ status: 200, data: { doNothing: { done: true, id } } });
});

test("null for an argument that cannot be null counts as absent", async () => {
  const query = "query ($from: Date, $to: Date) { creditUsage(from: $from, to: $to) { day } }";
  const absent = await graphql(changed, organization.live, query);
  const given = await graphql(changed, organization.live, query, { from: null, to: null });
  expect([codes(given), given.data]).toEqual([[200], absent.data]);
});
