// How the settings of a deployment lead to the tax authority: issue "Invoicing" §6.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { taxRoute } from "../../../src/services/invoicing/tax-route.ts";
import { MEMORY } from "../../support/global-setup.ts";

const PEM = ["A", "B", "C"].map((name) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----`);

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(MEMORY, "selo-tax-route-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const written = (name: string, content: string): string => {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return file;
};
const routeOf = (settings: Readonly<Record<string, string>>, environment: "live" | "test" = "live") =>
  taxRoute(readConfig({ PUBLIC_URL: "https://selo.example", SELO_DATA_DIR: folder, ...settings }), environment);

const ADDRESS = "https://sefin.example/SefinNacional";

// environments-and-days.test.ts has the simulator, which answers.
test("without an address there is no route, nor without certificates that count", async () => {
  const NFSE_TRUSTED_CERTIFICATES = written("signers.pem", PEM.join("\n"));
  expect(await routeOf({})).toBeNull();
  expect(await routeOf({ NFSE_TRUSTED_CERTIFICATES })).toBeNull();
  expect(await routeOf({ NFSE_URL_LIVE: ADDRESS })).toBeNull();
  // The address of one environment is none of the other.
  expect(await routeOf({ NFSE_URL_LIVE: ADDRESS, NFSE_TRUSTED_CERTIFICATES }, "test")).toBeNull();
  const route = await routeOf({ NFSE_URL_TEST: ADDRESS, NFSE_TRUSTED_CERTIFICATES }, "test");
  expect(route?.trusted).toHaveLength(3);
  await route?.authority.close();
});

test("a PEM file may have several certificates, with other text around them", async () => {
  const signers = written("several.pem", `# Signers of 2026\n${PEM[0]}\nsubject=B\n${PEM[1]}${PEM[2]}\n`);
  const route = await routeOf({ NFSE_URL_LIVE: ADDRESS, NFSE_TRUSTED_CERTIFICATES: signers });
  expect(route?.trusted).toEqual(PEM);
  await route?.authority.close();
});

test("a file without a certificate, and one that is not there, are errors", async () => {
  const empty = written("empty.pem", "-----BEGIN PUBLIC KEY-----\nA\n-----END PUBLIC KEY-----\n");
  await expect(routeOf({ NFSE_URL_LIVE: ADDRESS, NFSE_TRUSTED_CERTIFICATES: empty })).rejects.toThrow(
    "NFSE_TRUSTED_CERTIFICATES has no certificate",
  );
  // `npm start` has not started the simulator.
  await expect(routeOf({ NFSE_URL_TEST: "simulator" }, "test")).rejects.toThrow("ENOENT");
  const missing = path.join(folder, "missing.pem");
  const signers = written("signers.pem", PEM.join("\n"));
  for (const files of [
    { NFSE_TRUSTED_CERTIFICATES: missing },
    { NFSE_TRUSTED_CERTIFICATES: signers, NFSE_CA_FILE: missing },
  ])
    await expect(routeOf({ NFSE_URL_LIVE: ADDRESS, ...files })).rejects.toThrow("ENOENT");
});
