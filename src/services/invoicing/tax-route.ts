import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { TaxAuthority } from "../../adapters/tax-authority/tax-authority.ts";
import type { Config } from "../../config/config.ts";
import { invoicingSettings, SIMULATOR } from "./settings.ts";

/** What the simulator says of itself in its folder. */
export const SIMULATOR_FILE = "simulator.json";
const simulatorFile = z.object({ url: z.string(), ca: z.string(), signer: z.string() });

/** The folder of an environment's simulator in the data folder of a deployment. */
export const simulatorFolder = (dataDir: string, environment: "live" | "test"): string =>
  path.join(dataDir, "nfse-simulator", environment);

/** How one environment reaches the tax authority, and whose signatures count in its answers. */
export interface TaxRoute {
  readonly authority: TaxAuthority;
  /** PEM. */
  readonly trusted: readonly string[];
}

/**
 * The route of an environment by the settings; null without one.
 * @throws Error if a file of the settings cannot be read
 */
export async function taxRoute(config: Config, environment: "live" | "test"): Promise<TaxRoute | null> {
  const { NFSE_CA_FILE, NFSE_TRUSTED_CERTIFICATES, ...urls } = config.of(invoicingSettings);
  const baseUrl = environment === "live" ? urls.NFSE_URL_LIVE : urls.NFSE_URL_TEST;
  if (baseUrl === "") return null;
  if (baseUrl === SIMULATOR) {
    const written = await readFile(path.join(simulatorFolder(config.dataDir, environment), SIMULATOR_FILE), "utf8");
    const { url, ca, signer } = simulatorFile.parse(JSON.parse(written));
    return { authority: new TaxAuthority({ baseUrl: url, ca }), trusted: [signer] };
  }
  if (NFSE_TRUSTED_CERTIFICATES === undefined) return null;
  const ca = NFSE_CA_FILE === undefined ? undefined : await readFile(NFSE_CA_FILE, "utf8");
  const trusted = certificatesIn(await readFile(NFSE_TRUSTED_CERTIFICATES, "utf8"));
  return { authority: new TaxAuthority({ baseUrl, ...(ca !== undefined && { ca }) }), trusted };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

function certificatesIn(pem: string): readonly string[] {
  const found = pem.match(CERTIFICATE);
  if (found === null) throw new Error("NFSE_TRUSTED_CERTIFICATES has no certificate");
  return found;
}
