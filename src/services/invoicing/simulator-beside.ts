import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Companion, CompanionContext } from "../started-service.ts";
import { invoicingSettings, SIMULATOR } from "./settings.ts";
import { SIMULATOR_FILE, simulatorFolder } from "./tax-route.ts";

const NAME = "nfse";

/** The simulator of the tax authority beside `npm start`, for each environment that has no other address. Never in production. */
export async function simulatorBeside({ config, log, tellDemo }: CompanionContext): Promise<Companion> {
  const { NFSE_URL_LIVE, NFSE_URL_TEST } = config.of(invoicingSettings);
  if (![NFSE_URL_LIVE, NFSE_URL_TEST].includes(SIMULATOR) || config.production)
    return { line: [NAME, "the addresses of the settings"], stop: async () => {} };
  try {
    const { startSimulator } = await import("../../adapters/tax-authority/simulator/simulator.ts");
    const folder = simulatorFolder(config.dataDir);
    const simulator = await startSimulator({ folder, environment: "any" });
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, SIMULATOR_FILE);
    await writeFile(
      `${file}.new`,
      JSON.stringify({ url: simulator.url, ca: simulator.caPem, signer: simulator.signerPem }),
    );
    await rename(`${file}.new`, file);
    tellDemo("tax_authority_control", simulator.controlUrl);
    return { line: [NAME, `simulator of the tax authority, ${simulator.controlUrl}`], stop: () => simulator.stop() };
  } catch (error) {
    log.warn({ err: error }, "the simulator of the tax authority does not run");
    return { line: [NAME, "the simulator of the tax authority does not run"], stop: async () => {} };
  }
}
