/** What the running platform gives out, checked by nothing but src/verifier. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEvidence } from "../../src/verifier/evidence.ts";
import { readKeys } from "../../src/verifier/keys.ts";
import { readReceipt } from "../../src/verifier/receipt.ts";
import { verify } from "../../src/verifier/verify.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { hashed } from "./made-proofs.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: "Ação & Filhos \u007f\u0085 😀" });
});
afterAll(() => selo.stop());

const file = new TextEncoder().encode("The parties agree.\n");
const NAME = 'acordo "não" \u007f\u2028😀.txt';

test.for(["live", "test"] as const)("a %s proof verifies in every form", async (environment) => {
  const headers = { authorization: `Bearer ${organization[environment]}` };
  const get = async (path: string) => {
    const response = await fetch(`${selo.baseUrl}/api/v1${path}`, { headers });
    expect(response.status).toBe(200);
    return new Uint8Array(await response.arrayBuffer());
  };
  const text = async (path: string) => new TextDecoder().decode(await get(path));

  const form = new FormData();
  form.set("file", new Blob([file]), NAME);
  form.set("label", "tab\t, return\r\n and é\u0301");
  const registered = await fetch(`${selo.baseUrl}/api/v1/proofs`, { method: "POST", headers, body: form });
  expect(registered.status).toBe(201);
  const created = await registered.text();
  const { id, verification_code: code } = JSON.parse(created) as { id: string; verification_code: string };
  const keys = readKeys(await text("/public/platform-key"));
  const attached = await readReceipt(await get(`/proofs/${id}/receipt`));
  const forms = [created, await text(`/proofs/${id}`), await text(`/public/proofs/${code}`), attached ?? ""];
  const read = forms.map(readEvidence);
  expect(read[2]?.redacted).toEqual(["file_name", "file_size"]);
  const name = String(read[0]?.members["file_name"]);
  for (const evidence of read) {
    expect(verify(evidence, hashed(file, name), keys)).toMatchObject({
      verdict: environment === "live" ? "proved" : "test",
      environment,
    });
    expect(verify(evidence, hashed(file, name), null).verdict).not.toBe("proved");
  }
});
