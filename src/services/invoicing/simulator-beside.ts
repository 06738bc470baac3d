import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Companion, CompanionContext } from "../started-service.ts";
import { invoicingSettings, SIMULATOR } from "./settings.ts";
import { SIMULATOR_FILE, simulatorFolder } from "./tax-route.ts";

const NAME = "invoices";
/** A certificate for the first issuer of a developer. Its password stands in the README of the service. */
const DEMO_CERTIFICATE = { cnpj: "12345678000195", name: "Empresa de Demonstração Ltda", password: "selo" } as const;

/** Simulators of the tax authority beside `npm start`, for each environment that has no other address. Never in production. */
export async function simulatorBeside(context: CompanionContext): Promise<Companion> {
  const { config, log } = context;
  const { NFSE_URL_LIVE, NFSE_URL_TEST } = config.of(invoicingSettings);
  const simulated = [
    ...(NFSE_URL_LIVE === SIMULATOR ? (["live"] as const) : []),
    ...(NFSE_URL_TEST === SIMULATOR ? (["test"] as const) : []),
  ];
  if (simulated.length === 0 || config.production)
    return { line: [NAME, "go to the addresses of the settings"], stop: async () => {} };
  try {
    const running = await Promise.all(simulated.map((environment) => start(context, environment)));
    const controls = running.map(({ controlUrl }, index) => `${controlUrl} (${simulated[index]})`);
    return {
      line: [NAME, `go to simulators of the tax authority: ${controls.join(", ")}`],
      stop: async () => {
        await Promise.all(running.map((simulator) => simulator.stop()));
      },
    };
  } catch (error) {
    log.warn({ err: error }, "the simulator of the tax authority does not run");
    return { line: [NAME, "go nowhere: the simulator of the tax authority does not run"], stop: async () => {} };
  }
}

async function start({ config, tellDemo }: CompanionContext, environment: "live" | "test") {
  const { startSimulator } = await import("../../adapters/tax-authority/simulator/simulator.ts");
  const folder = simulatorFolder(config.dataDir, environment);
  const simulator = await startSimulator({ folder, environment });
  const { url, caPem: ca, signerPem: signer } = simulator;
  await writeWhole(path.join(folder, SIMULATOR_FILE), JSON.stringify({ url, ca, signer }));
  if (environment === "test") {
    const certificate = path.join(path.dirname(folder), "demo-a1.pfx");
    if (!existsSync(certificate)) await writeWhole(certificate, (await simulator.makeA1(DEMO_CERTIFICATE)).p12);
    tellDemo("invoice_certificate", certificate);
  }
  return simulator;
}

/** Whole or not at all, for its owner alone. */
async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${file}.new`, content, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
