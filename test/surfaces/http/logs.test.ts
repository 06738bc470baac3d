// What is logged, at the most talkative level, holds no secret and nothing of what callers sent.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { startTestGateway } from "../../support/gateway.ts";
import { call, filePart, multipartBody, textPart } from "../../support/rest-client.ts";

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
