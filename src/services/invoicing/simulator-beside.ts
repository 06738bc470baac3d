import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Simulator } from "../../adapters/tax-authority/simulator/simulator.ts";
import type { Companion, CompanionContext, DemoAccess } from "../started-service.ts";
import { addDemoIssuer, DEMO_ISSUER, DEMO_PASSWORD } from "./demo-issuer.ts";
import { invoicingSettings, SIMULATOR } from "./settings.ts";
import { SIMULATOR_FILE, simulatorFolder } from "./tax-route.ts";

/** What it needs of `npm start`. */
type Context = Pick<CompanionContext, "config" | "log" | "tellDemo">;

const NAME = "invoices";
const NOTHING: Omit<Companion, "line"> = { stop: async () => {} };

/** Simulators of the tax authority beside `npm start`, for each environment that has no other address, and an issuer of the demo organization there. Never in production. */
export async function simulatorBeside(context: Context): Promise<Companion> {
  const { config, log, tellDemo } = context;
  const { NFSE_URL_LIVE, NFSE_URL_TEST } = config.of(invoicingSettings);
  const simulated = [
    ...(NFSE_URL_LIVE === SIMULATOR ? (["live"] as const) : []),
    ...(NFSE_URL_TEST === SIMULATOR ? (["test"] as const) : []),
  ];
  try {
    const running = await Promise.all(simulated.map((environment) => start(context, environment)));
    const [first] = running;
    if (first === undefined) return { line: [NAME, "go to the addresses of the settings"], ...NOTHING };
    const certificate = path.join(config.dataDir, "nfse-simulator", "demo-a1.pfx");
    if (!existsSync(certificate)) await writeCertificate(first, certificate);
    tellDemo("invoice_certificate", certificate);
    const controls = running.map(({ controlUrl }, index) => `${controlUrl} (${simulated[index]})`);
    const addIssuers = async ({ url, tokens }: DemoAccess) => {
      for (const environment of simulated) await addDemoIssuer(url, tokens[environment], certificate);
    };
    return {
      line: [NAME, `go to simulators of the tax authority: ${controls.join(", ")}`],
      addDemo: (demo) =>
        addIssuers(demo).catch((error: unknown) => log.warn({ err: error }, "there is no demo issuer of invoices")),
      stop: async () => {
        await Promise.all(running.map((simulator) => simulator.stop()));
      },
    };
  } catch (error) {
    log.warn({ err: error }, "the simulator of the tax authority does not run");
    return { line: [NAME, "go nowhere: the simulator of the tax authority does not run"], ...NOTHING };
  }
}

async function start({ config }: Context, environment: "live" | "test"): Promise<Simulator> {
  const { startSimulator } = await import("../../adapters/tax-authority/simulator/simulator.ts");
  const folder = simulatorFolder(config.dataDir, environment);
  const simulator = await startSimulator({ folder, environment });
  const { url, caPem: ca, signerPem: signer } = simulator;
  await writeWhole(path.join(folder, SIMULATOR_FILE), JSON.stringify({ url, ca, signer }));
  return simulator;
}

async function writeCertificate(simulator: Simulator, file: string): Promise<void> {
  const { cnpj, name } = DEMO_ISSUER;
  await writeWhole(file, (await simulator.makeA1({ cnpj, name, password: DEMO_PASSWORD })).p12);
}

/** Whole or not at all, for its owner alone. */
async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${file}.new`, content, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
