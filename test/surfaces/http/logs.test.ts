// What is logged, at the most talkative level, holds no secret and nothing of what callers sent.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { surfaceOf } from "../../../src/surfaces/rest/surfaces.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call, filePart, multipartBody, textPart } from "../../support/rest-client.ts";
import { everyRoute } from "../../support/routes.ts";

test("at trace, logs hold no token, label, file name, digest, code or address, whatever is answered", async () => {
  const selo = await startTestGateway({ LOG_LEVEL: "trace", TRUST_PROXY: "1" });
  try {
    const { live } = await selo.newOrganization();
    const file = Buffer.from("a file");
    const sha256 = createHash("sha256").update(file).digest("hex");
    const { bytes, headers } = multipartBody([textPart("label", "quiet-label"), filePart(file, "quiet-name.pdf")]);
    const made = await call(selo, "POST", "/proofs", { token: live, body: bytes, headers });
    expect(made.status).toBe(201);
    expect((await call(selo, "GET", "/proofs?search=quiet-search", { token: live })).status).toBe(200);
    expect((await call(selo, "POST", "/proofs", { token: live, body: { sha256: "quiet-digest" } })).status).toBe(422);
    // What the public asks, by code and by digest, from an address.
    const from = { "x-forwarded-for": "203.0.113.77" };
    const code: string = made.body.verification_code;
    expect((await call(selo, "GET", `/public/proofs/${code}`, { headers: from })).status).toBe(200);
    expect((await call(selo, "GET", "/public/proofs/quiet-code", { headers: from })).status).toBe(404);
    expect((await call(selo, "POST", "/public/proofs/verify", { body: { sha256 } })).status).toBe(200);
    const { bytes: form, headers: formHeaders } = multipartBody([filePart(file, "quiet-name.pdf")]);
    expect((await call(selo, "POST", "/public/proofs/verify", { body: form, headers: formHeaders })).status).toBe(200);
    expect((await call(selo, "GET", `/proofs/${made.body.id}/receipt`, { token: live })).status).toBe(200);
    // A failure of ours, which is logged with its cause.
    await selo.database.admin.query("drop function gateway.proofs_json(api.proofs)");
    expect((await call(selo, "GET", "/proofs", { token: live })).status).toBe(500);
    const logged = selo.logs.join("");
    expect(logged).toContain('"msg":"request failed"');
    for (const secret of [live, live.slice(9), "quiet-", sha256, code, "203.0.113.77", "Bearer"])
      expect(logged).not.toContain(secret);
  } finally {
    await selo.stop();
  }
});

describe("no query is logged", () => {
  let selo: TestGateway;
  let token: string;
  beforeAll(async () => {
    selo = await startTestGateway({ LOG_LEVEL: "trace" });
    ({ test: token } = await selo.newOrganization());
  });
  afterAll(() => selo.stop());

  const asked = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${selo.baseUrl}${path}?quiet=query-marker`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const unlogged = () => {
    const logged = selo.logs.join("");
    expect(logged).toContain('"msg":"request"');
    expect(logged).not.toContain("query-marker");
    expect(logged).not.toContain("already sent");
  };

  test("of any route, whatever it answers", async () => {
    for (const route of everyRoute) {
      const path = (surfaceOf(route).prefix + route.path).replaceAll(
        /\{\w+\}/g,
        "0197a0c0-0000-7000-8000-0000000000f1",
      );
      await asked(route.method, path);
      await asked("OPTIONS", path);
    }
    unlogged();
  });

  test.each([
    ["a page", "/"],
    ["a page that is missing", "/nowhere/at/all"],
    ["a path that does not decode", "/%E0%A4%A"],
    ["GraphQL", "/graphql"],
    ["an asset that is missing", "/assets/none.js"],
    ["the metrics", "/metrics"],
  ])("of %s", async (_, path) => {
    for (const accept of ["text/html", "application/json"]) await asked("GET", path, { accept });
    unlogged();
  });

  test("of a missing page, which a browser gets once", async () => {
    const before = selo.logs.length;
    const lines = () => selo.logs.slice(before).join("");
    expect(await asked("GET", "/once", { accept: "text/html" })).toBe(404);
    await expect.poll(() => lines().match(/"msg":"request"/g)?.length).toBe(1);
    expect(lines()).not.toMatch(/"level":(40|50|60)/);
  });
});
