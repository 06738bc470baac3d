// The simulator's own promises: its control port, what it keeps, its certificates.
import forge from "node-forge";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cnpjOfCertificate } from "../../../src/adapters/tax-authority/certificate-cnpj.ts";
import { CORRECTED_CODES, correctionFor, correctionLanguage } from "../../../src/adapters/tax-authority/corrections.ts";
import { startSimulator } from "../../../src/adapters/tax-authority/simulator/simulator.ts";
import { TaxAuthority } from "../../../src/adapters/tax-authority/tax-authority.ts";
import { legacyP12 } from "./legacy-p12.ts";
import { CNPJ } from "./sample-facts.ts";
import { NOW, type Stage, startStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage?.stop());

async function control(path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await request(`${stage.simulator.controlUrl}${path}`, {
    method: body === undefined ? "GET" : "POST",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.statusCode, body: await response.body.json() };
}

describe("the control port", () => {
  test("sets what one issuer meets, in its order", async () => {
    const { client, a1 } = stage;
    const other = await stage.simulator.makeA1({ cnpj: "11444777000161", name: "Outra", password: "x" });
    const steps = [{ kind: "pass" }, { kind: "reject", errors: [{ code: "E0310" }] }];
    expect(await control("/scenario", { issuer: CNPJ, next: steps })).toEqual({ status: 200, body: { steps: 2 } });
    expect((await client.issue(other.pem, stage.dps({}, other.pem).xml)).kind).toBe("refused");
    expect((await client.issue(a1.pem, stage.dps().xml)).kind).toBe("accepted");
    expect(await client.issue(a1.pem, stage.dps().xml)).toMatchObject({ errors: [{ code: "E0310" }] });
    expect((await client.issue(a1.pem, stage.dps().xml)).kind).toBe("accepted");
  });

  test("refuses steps that it does not know", async () => {
    expect((await control("/scenario", { next: [{ kind: "explode" }] })).status).toBe(422);
    expect((await control("/scenario", { next: [{ kind: "delay" }] })).status).toBe(422);
    expect((await control("/scenario", { next: [{ kind: "pass", extra: 1 }] })).status).toBe(422);
    expect((await control("/elsewhere")).status).toBe(404);
  });

  test("tells what was asked, and how many NFS-e each DPS became", async () => {
    const { client, a1 } = stage;
    const dps = stage.dps();
    await client.issue(a1.pem, dps.xml);
    await client.findDps(a1.pem, dps.id);
    const asked = (await control("/requests")).body;
    expect((asked as unknown[]).slice(-2)).toEqual([
      { method: "POST", path: "/nfse", issuer: CNPJ, dps_id: dps.id },
      { method: "GET", path: `/dps/${dps.id}`, issuer: CNPJ, dps_id: dps.id },
    ]);
    expect((await control("/nfse")).body).toMatchObject({ [dps.id]: 1 });
  });
});

test("NFS-e, numbers and keys outlive the process", async () => {
  const { client, a1, folder, simulator } = stage;
  const dps = stage.dps();
  const first = await client.issue(a1.pem, dps.xml);
  const again = await startSimulator({ folder, now: () => NOW });
  const second = new TaxAuthority({ baseUrl: again.url, ca: simulator.caPem });
  expect(again.signerPem).toBe(simulator.signerPem);
  expect(await second.issue(a1.pem, dps.xml)).toMatchObject({ errors: [{ code: "E0014" }] });
  const found = await second.findDps(a1.pem, dps.id);
  expect(found.kind === "accepted" && (await second.fetchNfse(a1.pem, found.accessKey))).toMatchObject({
    xml: first.kind === "accepted" ? first.xml : "",
  });
  expect(Object.keys(again.nfseCounts())).toHaveLength(Object.keys(simulator.nfseCounts()).length);
  await second.close();
  await again.stop();
});

test("a client without a certificate is answered 403", async () => {
  const { simulator } = stage;
  const dispatcher = new Agent({ connect: { ca: simulator.caPem } });
  const head = await request(`${simulator.url}/dps/${stage.dps().id}`, { dispatcher });
  expect(head.statusCode).toBe(403);
  await head.body.dump();
  await dispatcher.close();
});

test("the CNPJ of a certificate is found in its name 2.16.76.1.3.3", async () => {
  const { simulator, a1 } = stage;
  expect(cnpjOfCertificate(a1.pem.certificate)).toBe(CNPJ);
  expect(cnpjOfCertificate(simulator.signerPem)).toBeNull();
  const lettered = await simulator.makeA1({ cnpj: "12ABC34501DE35", name: "Alfanumérica", password: "x" });
  expect(cnpjOfCertificate(lettered.pem.certificate)).toBe("12ABC34501DE35");
});

test("node-forge reads A1 certificates of all three encryptions", async () => {
  const { simulator } = stage;
  const request = { cnpj: CNPJ, name: "Empresa", password: "segredo" };
  const [modern, triple] = await Promise.all([
    simulator.makeA1(request),
    simulator.makeA1({ ...request, legacy: true }),
  ]);
  for (const p12 of [modern.p12, triple.p12, legacyP12(modern.pem, "segredo")]) {
    const file = forge.asn1.fromDer(p12.toString("latin1"));
    const bags = forge.pkcs12.pkcs12FromAsn1(file, "segredo").getBags({ bagType: forge.pki.oids["certBag"] ?? "" });
    expect(bags[forge.pki.oids["certBag"] ?? ""]?.[0]?.cert?.subject.getField("CN").value).toContain(CNPJ);
  }
});

test("each code has a correction in both languages, and unknown codes a general one", () => {
  for (const code of CORRECTED_CODES) {
    expect(code).toMatch(/^(E|RNG)\d{4}$/);
    expect(correctionFor(code, "pt-BR")).not.toBe(correctionFor(code, "en"));
    expect(correctionFor(code, "en")).not.toBe(correctionFor("E0000", "en"));
  }
  expect(["pt", "pt-BR", "PT-pt", "en", "pts"].map(correctionLanguage)).toEqual([
    "pt-BR",
    "pt-BR",
    "pt-BR",
    "en",
    "en",
  ]);
  expect(correctionFor("toString", "en")).toBe(correctionFor("E0000", "en"));
});
