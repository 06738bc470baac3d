// Errors of the whole surface: dns-hosting §7; issue "DNS hosting I" §1. Each is {detail, code, request_id}, and detail is a text.
import { afterAll, beforeAll, expect, test } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

let selo: TestGateway;
let url: string;
let key: string;
beforeAll(async () => {
  selo = await startTestGateway({ TOKEN_REQUESTS_PER_MINUTE: "60" });
  const organization = await selo.newOrganization();
  url = `${selo.baseUrl}/v1/orgs/${organization.number}/zones`;
  key = (await issueKey(selo.operator, organization.id, "errors")).secret;
});
afterAll(() => selo?.stop());

const ask = (init: RequestInit, token = key, path = "") =>
  fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...init.headers },
  });

async function expectDnsError(answer: Response, status: number, code: string): Promise<void> {
  const body = await answer.json();
  expect({ status: answer.status, body }).toEqual({
    status,
    body: {
      detail: expect.stringMatching(/^\S.*$/),
      code,
      request_id: answer.headers.get("x-request-id"),
      ...(status === 422 ? { fields: expect.any(Array) } : {}),
    },
  });
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
}

test.each(["", "{", `{"name": "a.test"} x`, "nul"])("400 for the body %j, which is no JSON", async (body) => {
  await expectDnsError(await ask({ method: "POST", body }), 400, "malformed_request");
});

test("400 for a path that does not decode", async () => {
  await expectDnsError(await ask({}, key, "/%ff"), 400, "malformed_request");
});

test("413 for a body of more than 1 MiB", async () => {
  const name = (bytes: number) => ({ method: "POST", body: `{"name": "${"a".repeat(bytes - 12)}"}` });
  await expectDnsError(await ask(name(1024 * 1024)), 422, "invalid_request");
  await expectDnsError(await ask(name(1024 * 1024 + 1)), 413, "too_large");
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json-patch+json",
])("415 for a body of the type %s", async (type) => {
  const answer = await ask({ method: "POST", body: "{}", headers: { "content-type": type } });
  await expectDnsError(answer, 415, "unsupported_media_type");
});

test.each([
  ["PATCH", "", "GET, HEAD, POST"],
  ["OPTIONS", "", "GET, HEAD, POST"],
  ["POST", "/1", "DELETE, GET, HEAD"],
  ["GET", "/1/import", "POST"],
  ["PATCH", "/1/records", "GET, HEAD, POST, PUT"],
  ["GET", "/1/records/1", "DELETE, PUT"],
])("405 for %s …/zones%s, with Allow", async (method, path, allow) => {
  const answer = await ask({ method }, key, path);
  await expectDnsError(answer, 405, "method_not_allowed");
  expect(answer.headers.get("allow")).toBe(allow);
});

test("HEAD answers as GET does, without a body", async () => {
  const answer = await ask({ method: "HEAD" });
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
});

test("429 with Retry-After for a key that asks too often", async () => {
  const organization = await selo.newOrganization();
  const { secret } = await issueKey(selo.operator, organization.id, "busy");
  const me = () => fetch(`${selo.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
  for (let asked = 0; asked < 60; asked++) expect((await me()).status).toBe(200);
  const answer = await me();
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answer.headers.get("ratelimit")).toMatch(/^"token";r=0;t=\d+$/);
  await expectDnsError(answer, 429, "rate_limited");
});

test("500 tells nothing but the request id", async () => {
  await selo.database.admin.query("alter function gateway.list_dns_zones rename to lost");
  try {
    const answer = await ask({});
    const detail = `Something failed on our side. Request id: ${answer.headers.get("x-request-id")}`;
    expect(await answer.clone().json()).toMatchObject({ detail });
    await expectDnsError(answer, 500, "internal_error");
  } finally {
    await selo.database.admin.query("alter function gateway.lost rename to list_dns_zones");
  }
});
