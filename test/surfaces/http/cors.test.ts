// Pages of other origins: nobody's by default, those of CORS_ORIGINS when it is set.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";

const ALLOWED = "https://app.example.com";
let selo: TestGateway;
let open: Awaited<ReturnType<typeof startGatewayBeside>>;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  open = await startGatewayBeside(selo, { CORS_ORIGINS: `${ALLOWED}, http://localhost:3000` });
  organization = await selo.newOrganization();
});
afterAll(async () => {
  await open.stop();
  await selo.stop();
});

const preflight = (baseUrl: string, path: string, origin: string) =>
  fetch(`${baseUrl}${path}`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization, content-type, idempotency-key",
    },
  });
const corsHeaders = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith("access-control-"));

test("by default no origin may call: no header says so, and OPTIONS is no method of ours", async () => {
  for (const path of ["/api/v1/proofs", "/graphql", "/api/v1/public/platform-key"]) {
    const refused = await preflight(selo.baseUrl, path, ALLOWED);
    expect(refused.status).toBe(405);
    expect(corsHeaders(refused)).toEqual([]);
  }
  const answer = await fetch(`${selo.baseUrl}/api/v1/public/platform-key`, { headers: { origin: ALLOWED } });
  expect(corsHeaders(answer)).toEqual([]);
});

describe("with CORS_ORIGINS", () => {
  test.each(["/api/v1/proofs", "/graphql"])(
    "a listed origin may call %s with a token and an Idempotency-Key",
    async (path) => {
      const allowed = await preflight(open.baseUrl, path, ALLOWED);
      expect(allowed.status).toBe(204);
      expect(allowed.headers.get("access-control-allow-origin")).toBe(ALLOWED);
      expect(allowed.headers.get("access-control-allow-methods")).toContain("POST");
      expect(allowed.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("idempotency-key");
      // Instrumented clients add these to every request.
      for (const name of ["traceparent", "tracestate", "baggage"])
        expect(allowed.headers.get("access-control-allow-headers")).toContain(name);
      expect(allowed.headers.get("access-control-allow-credentials")).toBeNull();
      expect(allowed.headers.get("vary")).toMatch(/origin/i);
    },
  );

  test("its page reads answers, refusals as well, with the headers that matter", async () => {
    for (const token of [organization.live, "nonsense"]) {
      const answer = await fetch(`${open.baseUrl}/api/v1/proofs`, {
        headers: { origin: ALLOWED, authorization: `Bearer ${token}` },
      });
      expect(answer.headers.get("access-control-allow-origin")).toBe(ALLOWED);
      for (const name of ["X-Request-Id", "RateLimit", "Retry-After", "Idempotent-Replayed"])
        expect(answer.headers.get("access-control-expose-headers")).toContain(name);
    }
  });

  test.each(["https://evil.example.com", "https://app.example.com.evil.com", "null", "http://app.example.com"])(
    "%s is not told that it may",
    async (origin) => {
      expect(
        (await preflight(open.baseUrl, "/api/v1/proofs", origin)).headers.get("access-control-allow-origin"),
      ).toBeNull();
      const answer = await fetch(`${open.baseUrl}/api/v1/public/platform-key`, { headers: { origin } });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  test.each(["/openapi.json", "/docs", "/", "/api/v1/public/platform-key"])(
    "%s says that it differs by origin: no cache hands one origin the permission of another",
    async (path) => {
      const answer = await fetch(open.baseUrl + path, { headers: { origin: ALLOWED } });
      expect(answer.headers.get("access-control-allow-origin")).toBe(ALLOWED);
      expect(answer.headers.get("vary")).toMatch(/\borigin\b/i);
    },
  );
});
