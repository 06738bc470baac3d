import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

test("POST /proofs registers a digest with 201 and created true, and again with 200 and created false", async () => {
  const sha256 = createHash("sha256").update(randomBytes(8)).digest("hex");
  const post = () =>
    fetch(`${selo.baseUrl}/api/v1/proofs`, {
      method: "POST",
      headers: { authorization: `Bearer ${organization.live}`, "content-type": "application/json" },
      body: JSON.stringify({ sha256, label: "first" }),
    });
  const first = await post();
  expect(first.status).toBe(201);
  const proof = (await first.json()) as Record<string, unknown>;
  expect(proof).toMatchObject({ sha256, label: "first", created: true });
  const second = await post();
  expect(second.status).toBe(200);
  expect(await second.json()).toEqual({ ...proof, created: false });
});
