import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Companion, CompanionContext } from "../started-service.ts";
import { invoicingSettings, SIMULATOR } from "./settings.ts";
import { SIMULATOR_FILE, simulatorFolder } from "./tax-route.ts";

const NAME = "invoices";
/** A certificate for the first issuer of a developer. Its password stands in the guide. */
const DEMO_CERTIFICATE = { cnpj: "12345678000195", name: "Empresa de Demonstração Ltda", password: "selo" } as const;

/** The simulator of the tax authority beside `npm start`, for environments that have no other address. Never in production. */
export async function simulatorBeside({ config, log, tellDemo }: CompanionContext): Promise<Companion> {
  const { NFSE_URL_LIVE, NFSE_URL_TEST } = config.of(invoicingSettings);
  if (![NFSE_URL_LIVE, NFSE_URL_TEST].includes(SIMULATOR) || config.production)
    return { line: [NAME, "go to the addresses of the settings"], stop: async () => {} };
  try {
    const { startSimulator } = await import("../../adapters/tax-authority/simulator/simulator.ts");
    const folder = simulatorFolder(config.dataDir);
    const simulator = await startSimulator({ folder, environment: "any" });
    const { url, caPem: ca, signerPem: signer } = simulator;
    await writeWhole(path.join(folder, SIMULATOR_FILE), JSON.stringify({ url, ca, signer }));
    const certificate = path.join(folder, "demo-a1.pfx");
    if (!existsSync(certificate)) await writeWhole(certificate, (await simulator.makeA1(DEMO_CERTIFICATE)).p12);
    tellDemo("invoice_certificate", certificate);
    return {
      line: [NAME, `go to a simulator of the tax authority: ${simulator.controlUrl}`],
      stop: () => simulator.stop(),
    };
  } catch (error) {
    log.warn({ err: error }, "the simulator of the tax authority does not run");
    return { line: [NAME, "go nowhere: the simulator of the tax authority does not run"], stop: async () => {} };
  }
}

/** Whole or not at all, for its owner alone. */
async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${file}.new`, content, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
