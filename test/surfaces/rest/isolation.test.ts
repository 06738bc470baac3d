// The isolation matrix: every route × other tenant, other environment, missing scope, anonymous.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Route, scopeOf } from "../../../src/surfaces/rest/route.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { readReceipt } from "../../support/receipt-reader.ts";
import { call, countRows, expectError, type RestResponse } from "../../support/rest-client.ts";
import { routes } from "../../support/routes.ts";

let selo: TestGateway;
let owner: TestOrganization;
let stranger: TestOrganization;
/** What the owner has in live, as its answers show it. */
let proof: Record<string, string>;
/** The event of its registration. */
let eventId: string;
const marker = `only the owner's ${randomBytes(6).toString("hex")}`;
/** The label is public, the file's name is not. */
const fileName = `${marker}.pdf`;
beforeAll(async () => {
  selo = await startTestGateway();
  owner = await selo.newOrganization({ name: "Owner" });
  stranger = await selo.newOrganization({ name: "Stranger" });
  const made = await call(selo, "POST", "/proofs", {
    token: owner.live,
    body: { sha256: randomBytes(32).toString("hex"), label: marker, file_name: fileName },
  });
  proof = made.body;
  const events = await call(selo, "GET", "/events?type=proof.registered", { token: owner.live });
  eventId = events.body.items[0].id;
  await selo.operator.grantCredits(owner.id, "icp_brasil", 7_777_777);
  await selo.database.admin.query("update platform.organizations set plan = 'enterprise' where id = $1", [owner.id]);
  await selo.seal();
});
afterAll(() => selo.stop());

interface Asked {
  readonly path: string;
  readonly body?: object;
  /** What of the owner's its answer shows. */
  readonly shows?: string;
}

/** The only webhook of the owner's, for one question: some of them take it away, and there are at most 50. */
async function aWebhook(more = ""): Promise<Asked & { readonly id: string }> {
  await selo.database.admin.query("delete from webhooks.endpoints where tenant_id = $1", [owner.id]);
  const body = {
    url: `https://example.com/${randomBytes(6).toString("hex")}`,
    event_types: ["*"],
    description: marker,
  };
  const { id } = (await call(selo, "POST", "/webhooks", { token: owner.live, body })).body;
  return { path: `/webhooks/${id}${more}`, shows: id, id };
}

async function aDelivery(): Promise<{ readonly id: string; readonly webhookId: string }> {
  const { id: webhookId, path } = await aWebhook("/test");
  return { id: (await call(selo, "POST", path, { token: owner.live })).body.id, webhookId };
}

/**
 * How each route is asked for what the owner has, and what its answer shows of it. A route without an entry fails the
 * tests: whoever adds a route says here how it is kept apart.
 */
const requests: Readonly<Record<string, () => Asked | Promise<Asked>>> = {
  "POST /proofs": () => ({ path: "/proofs", body: { sha256: proof["sha256"] } }),
  "GET /proofs": () => ({ path: `/proofs?search=${encodeURIComponent(marker)}` }),
  "GET /proofs/{id}": () => ({ path: `/proofs/${proof["id"]}` }),
  "GET /proofs/{id}/receipt": () => ({ path: `/proofs/${proof["id"]}/receipt` }),
  "POST /webhooks": () => ({
    path: "/webhooks",
    body: { url: "https://example.com/hook", event_types: ["*"] },
    shows: "whsec_",
  }),
  "GET /webhooks": async () => ({ ...(await aWebhook()), path: "/webhooks" }),
  "GET /webhooks/{id}": () => aWebhook(),
  "PATCH /webhooks/{id}": async () => ({ ...(await aWebhook()), body: { event_types: ["message.*"] } }),
  "DELETE /webhooks/{id}": async () => ({ ...(await aWebhook()), shows: "" }),
  "POST /webhooks/{id}/rotate": () => aWebhook("/rotate"),
  "POST /webhooks/{id}/enable": () => aWebhook("/enable"),
  "POST /webhooks/{id}/disable": () => aWebhook("/disable"),
  "POST /webhooks/{id}/test": () => aWebhook("/test"),
  "GET /webhooks/{id}/deliveries": async () => {
    const { id, webhookId } = await aDelivery();
    return { path: `/webhooks/${webhookId}/deliveries`, shows: id };
  },
  "POST /webhooks/{id}/replay": async () => ({
    ...(await aWebhook("/replay")),
    body: { since: "2026-01-01T00:00:00Z" },
    shows: '"replayed"',
  }),
  "POST /webhooks/deliveries/{delivery_id}/retry": async () => {
    const { id } = await aDelivery();
    return { path: `/webhooks/deliveries/${id}/retry`, shows: id };
  },
  "GET /events": () => ({ path: "/events", shows: proof["id"] as string }),
  "GET /events/{id}": () => ({ path: `/events/${eventId}`, shows: proof["id"] as string }),
  "GET /billing/balance": () => ({ path: "/billing/balance" }),
  "GET /billing/usage": () => ({ path: "/billing/usage" }),
  "GET /billing/plan": () => ({ path: "/billing/plan" }),
  "GET /public/proofs/{code}": () => ({ path: `/public/proofs/${proof["verification_code"]}` }),
  "POST /public/proofs/verify": () => ({ path: "/public/proofs/verify", body: { sha256: proof["sha256"] } }),
  "GET /public/platform-key": () => ({ path: "/public/platform-key", shows: '"algorithm":"ML-DSA-87"' }),
  "GET /public/audit-seals": () => ({ path: "/public/audit-seals", shows: '"kind":"audit_seal"' }),
  "GET /audit": () => ({ path: "/audit?action=proof.registered", shows: '"action":"proof.registered"' }),
};
/** What belongs to the organization and not to one environment of it, and what the owner alone is shown there. */
const ofOrganization: Readonly<Record<string, string>> = {
  "GET /billing/balance": '"balance":7777777',
  "GET /billing/usage": '"granted":7777777',
  "GET /billing/plan": '"plan":"enterprise"',
};
const nameOf = (route: Route) => `${route.method} ${route.path}`;

async function prepare(route: Route): Promise<Asked> {
  const request = requests[nameOf(route)];
  if (request === undefined) throw new Error(`no entry for ${nameOf(route)}`);
  return request();
}

async function ask(route: Route, token: string | null, prepared?: Asked): Promise<RestResponse> {
  const { path, body } = prepared ?? (await prepare(route));
  return call(selo, route.method, path, { token, body });
}

/** What an answer shows to who looks: of a receipt, what is printed and what is attached. */
function shown({ headers, bytes, text }: RestResponse): string {
  if (headers.get("content-type") !== "application/pdf") return text;
  const receipt = readReceipt(bytes);
  return receipt.text + receipt.evidence;
}

/** Nothing of the owner's in it. */
function expectNothingOf(response: RestResponse): void {
  for (const secret of [marker, proof["id"], proof["verification_code"], owner.id]) {
    expect(shown(response)).not.toContain(secret);
  }
}

const mine = routes.filter((route) => scopeOf(route) !== null).map((route): [string, Route] => [nameOf(route), route]);
const anyones = routes
  .filter((route) => scopeOf(route) === null)
  .map((route): [string, Route] => [nameOf(route), route]);

test("every route stands in the matrix, and only those", () => {
  expect(routes.map(nameOf).sort()).toEqual(Object.keys(requests).sort());
});

test("routes for anyone are the public ones, and no others", () => {
  expect(anyones.map(([name]) => name)).toEqual([
    "GET /public/proofs/{code}",
    "POST /public/proofs/verify",
    "GET /public/platform-key",
    "GET /public/audit-seals",
  ]);
});

describe.each(mine)("%s", (name, route) => {
  test("its owner is shown it (or the rest of this matrix shows nothing)", async () => {
    const asked = await prepare(route);
    const response = await ask(route, owner.live, asked);
    expect(response.status).toBe(route.operation === "registerProof" ? 200 : route.status);
    const shared = ofOrganization[name];
    expect(shown(response)).toContain(shared ?? asked.shows ?? fileName);
    if (shared === undefined) expect(shown(response)).toContain(asked.shows ?? proof["id"]);
    else expect((await ask(route, owner.test)).text).toBe(response.text);
  });

  test("another tenant, in either environment, is shown nothing of it", async () => {
    for (const token of [stranger.live, stranger.test]) {
      const asked = await prepare(route);
      const rows = await countRows(selo);
      const response = await ask(route, token, asked);
      expectNothingOf(response);
      expect(shown(response)).not.toContain(ofOrganization[name] ?? owner.id);
      if (route.params === undefined) continue;
      expectError(response, 404, "not_found");
      expect(await countRows(selo)).toEqual(rows);
    }
  });

  test("the same tenant's other environment is shown nothing of it", async () => {
    const asked = await prepare(route);
    const rows = await countRows(selo);
    const response = await ask(route, owner.test, asked);
    for (const secret of [marker, proof["id"], proof["verification_code"]])
      expect(shown(response)).not.toContain(secret);
    if (route.params === undefined) return;
    expectError(response, 404, "not_found");
    expect(await countRows(selo)).toEqual(rows);
  });

  test("a token with every scope but its own is 403 missing_scope, and writes nothing", async () => {
    const scope = scopeOf(route) ?? "";
    const token = await owner.token(
      "live",
      (await selo.operator.allScopes()).filter((each) => each !== scope),
    );
    const asked = await prepare(route);
    const rows = await countRows(selo);
    const response = await ask(route, token, asked);
    expectError(response, 403, "missing_scope");
    expect(response.body.detail.message).toContain(scope);
    expectNothingOf(response);
    expect(await countRows(selo)).toEqual(rows);
  });

  test("a token with its scope alone suffices", async () => {
    const response = await ask(route, await owner.token("live", [scopeOf(route) ?? ""]));
    expect(response.status).toBeLessThan(300);
  });

  test("anonymous is 401 unauthenticated, and writes nothing", async () => {
    const asked = await prepare(route);
    const rows = await countRows(selo);
    for (const token of [null, `svc_live_${"A".repeat(43)}`]) {
      const response = await ask(route, token, asked);
      expectError(response, 401, "unauthenticated");
      expectNothingOf(response);
    }
    expect(await countRows(selo)).toEqual(rows);
  });
});

test.each(anyones)("%s answers anyone the same, with nothing of a tenant's that is not public", async (name, route) => {
  const rows = await countRows(selo);
  const tokens = [null, owner.live, owner.test, stranger.live, `svc_live_${"A".repeat(43)}`, "nonsense"];
  const answers = await Promise.all(tokens.map((token) => ask(route, token)));
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(answers[0]?.text);
    const { shows } = (await requests[name]?.()) ?? {};
    if (shows !== undefined) {
      expect(answer.text).toContain(shows);
      expectNothingOf(answer);
    } else {
      expect(answer.text).toContain(marker);
      expect(answer.text).not.toContain(fileName);
    }
  }
  expect(await countRows(selo)).toEqual(rows);
});
