// Who may scan a zone and how often, and what happens to the zone meanwhile: issue "DNS hosting II" §4.
import { describe, expect, test } from "vitest";
import { issueKey } from "../../../../src/services/dns/store.ts";
import { expectError, type RestResponse } from "../../../support/rest-client.ts";
import { SERVER, setUpScans, stage } from "./scan-stage.ts";

setUpScans();

describe("a zone is scanned", () => {
  test("once a minute for a zone: 429 with Retry-After, and other zones are scanned", async () => {
    await stage.scanned();
    const again = await stage.scan();
    expectError(again, 429, "rate_limited");
    const wait = Number(again.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(30);
    expect(wait).toBeLessThanOrEqual(60);
    expectError(await stage.scan({ dry_run: true }), 429, "rate_limited");
    const other = await stage.customer.zone();
    expect((await other.ask("POST", "/import", { quick_scan: true })).status).toBe(200);
    await stage.later();
    await stage.scanned();
  });

  test("two at once: one is 429", async () => {
    const answers = await Promise.all([stage.scan(), stage.scan()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429]);
  });

  test("the same Idempotency-Key repeats the answer, and nobody is asked again", async () => {
    stage.has("www", "A", "192.0.2.1");
    const ask = () => stage.zone.ask("POST", "/import", { quick_scan: true }, { key: `scan-${stage.zone.name}` });
    const first = await ask();
    const before = stage.world.questions.length;
    const second = await ask();
    expect([second.status, second.body, second.headers.get("idempotent-replayed")]).toEqual([200, first.body, "true"]);
    expect(stage.world.questions).toHaveLength(before);
  });

  test("not with replace: 422, and nobody is asked", async () => {
    const before = stage.world.questions.length;
    expectError(await stage.scan({ replace: true }), 422, "invalid_request", ["replace"]);
    expect(stage.world.questions).toHaveLength(before);
    // It did not count as a scan.
    await stage.scanned();
  });
});

test("a stranger's zone is 404, and a key without zone:write 403: nobody is asked", async () => {
  const stranger = await stage.dns.customer();
  const before = stage.world.questions.length;
  expectError(
    await stranger.ask("POST", `/zones/${stage.zone.body.id}/import`, { quick_scan: true }),
    404,
    "not_found",
  );
  const token = await stage.customer.key(["zone:read", "record:read", "record:write"]);
  expectError(await stage.zone.ask("POST", "/import", { quick_scan: true }, { token }), 403, "missing_scope");
  expect(stage.world.questions).toHaveLength(before);
  await stage.scanned();
});

test("a key that is narrowed to TXT records of _acme-challenge, or to another zone, is 403, and nobody is asked", async () => {
  const other = await stage.customer.zone();
  const before = stage.world.questions.length;
  for (const narrowing of [
    { acmeOnly: true },
    { acmeOnly: true, zones: [stage.zone.body.id] },
    { zones: [other.body.id] },
  ]) {
    const { secret: token } = await issueKey(
      stage.dns.selo.operator,
      stage.customer.organization.id,
      "narrow",
      null,
      narrowing,
    );
    for (const dry_run of [false, true])
      expectError(await stage.zone.ask("POST", "/import", { quick_scan: true, dry_run }, { token }), 403, "forbidden");
  }
  expect(stage.world.questions).toHaveLength(before);
  // It did not count as a scan.
  await stage.scanned();
});

test("a zone that is deleted while it is scanned: 404, and nothing is written", async () => {
  stage.has("www", "A", "192.0.2.1");
  let deleted: Promise<RestResponse> | null = null;
  stage.answers(async ({ name, type }) => {
    deleted ??= stage.zone.ask("DELETE");
    await deleted;
    return stage.provider(name, type);
  });
  expectError(await stage.scan(), 404, "not_found");
  expect((await (deleted as RestResponse | Promise<RestResponse> | null))?.status).toBe(204);
  expect(await stage.dns.rows("select 1 from dns.records where zone_id = $1", [stage.zone.body.id])).toEqual([]);
});

test("records that are written while a zone is scanned stay, and are not written twice", async () => {
  stage.has("www", "A", "192.0.2.1");
  let added: Promise<unknown> | null = null;
  stage.answers(async ({ name, type }) => {
    added ??= stage.zone.add({ name: "www", type: "A", content: "192.0.2.1" });
    await added;
    return stage.provider(name, type);
  });
  expect((await stage.scanned()).skipped_records).toMatchObject([{ name: stage.whole("www"), reason: "exists" }]);
  expect(await stage.zone.records()).toHaveLength(1);
});

test("the plan's limit of records holds: what has no room is skipped", async () => {
  const free = await stage.dns.customer({ plan: "free" });
  const small = await free.zone();
  stage.world.delegate(small.name, [SERVER]);
  await small.ask("POST", "/import", {
    bind_file: Array.from({ length: 499 }, (_, place) => `x${place} 300 IN A 192.0.2.1`).join("\n"),
  });
  stage.answers(({ name, type }) =>
    type === "A" && /^(www|api)\./.test(name)
      ? { aa: true, answers: [{ name, type, data: "192.0.2.1", ttl: 300 }] }
      : { aa: true },
  );
  const { body } = await small.ask("POST", "/import", { quick_scan: true });
  expect(body).toMatchObject({ imported: 1, skipped: 1, skipped_records: [{ line: null, reason: "limit" }] });
});
