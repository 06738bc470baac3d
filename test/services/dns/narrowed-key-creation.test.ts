// What a key is narrowed to when it is made, and who says so: issue "DNS hosting II" §5.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueKey, listKeys, type Narrowing } from "../../../src/services/dns/store.ts";
import { call, countRows } from "../../support/rest-client.ts";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";

let stage: DnsStage;
let one: Customer;
let inside: Zone;
let outside: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  one = await stage.customer();
  [inside, outside] = [await one.zone(), await one.zone()];
});
afterAll(() => stage?.close());

const keyOf = (narrowing: Narrowing) => issueKey(stage.selo.operator, one.organization.id, "narrow", null, narrowing);

describe("a key is narrowed when it is made", () => {
  test("and says so, in the list and in GET /v1/me", async () => {
    const ids = [outside.body.id, inside.body.id];
    const key = await keyOf({ zones: [...ids, ...ids], acmeOnly: true });
    const said = { zones: ids.sort((a, b) => a - b), acme_only: true };
    expect(key).toMatchObject(said);
    const { secret, ...listed } = key;
    expect(await listKeys(stage.selo.operator, one.organization.id)).toContainEqual(listed);
    expect((await call(stage.selo, "GET", "/me", { prefix: "/v1", token: secret })).body).toMatchObject(said);
  });

  test("and is not unless it is asked for", async () => {
    expect(await keyOf({})).toMatchObject({ zones: null, acme_only: false });
    const { body } = await call(stage.selo, "GET", "/me", { prefix: "/v1", token: one.token });
    expect(body).toMatchObject({ zones: null, acme_only: false });
  });

  test.each([
    ["no zones", () => []],
    ["a zone that nobody has", () => [999_999]],
    ["a zone of another organization", async () => [(await (await stage.customer()).zone()).body.id]],
    ["more than 1,000 zones", () => Array.from({ length: 1_001 }, () => inside.body.id)],
  ])("to %s it is refused, and nothing is made", async (_, zones) => {
    const given = await zones();
    const rows = await countRows(stage.selo);
    await expect(keyOf({ zones: given })).rejects.toMatchObject({
      code: "invalid_request",
      fields: [{ field: "zones" }],
    });
    expect(await countRows(stage.selo)).toEqual(rows);
  });

  test("to as many as 1,000 zones", async () => {
    const zones = Array.from({ length: 1_000 }, () => inside.body.id);
    expect((await keyOf({ zones })).zones).toEqual([inside.body.id]);
  });

  test("the trail says to what, and finds a key that was widened behind its back", async () => {
    const { id } = await keyOf({ zones: [inside.body.id], acmeOnly: true });
    const [event] = await stage.rows<{ zones: unknown; acme: unknown }>(
      `select details::jsonb -> 'zones' as zones, details::jsonb -> 'acme_only' as acme from platform.audit_events
       join dns.api_keys as key on key.actor_id = subject_id where key.id = $1`,
      [id],
    );
    expect(event).toEqual({ zones: [inside.body.id], acme: true });
    const [digests] = await stage.rows<{ differ: boolean }>(
      `select dns.key_record(key) <> dns.key_record(jsonb_populate_record(key, '{"zones": null}')) and
         dns.key_record(key) <> dns.key_record(jsonb_populate_record(key, '{"acme_only": false}')) as differ
       from dns.api_keys as key where id = $1`,
      [id],
    );
    expect(digests).toEqual({ differ: true });
  });
});

test("every scope may be narrowed", async () => {
  for (const scope of ["record:read", "record:write", "zone:read", "zone:write"])
    expect(
      await issueKey(stage.selo.operator, one.organization.id, "s", [scope], { zones: [inside.body.id] }),
    ).toMatchObject({ scopes: [scope], zones: [inside.body.id] });
});
