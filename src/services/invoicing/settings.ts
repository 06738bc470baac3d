import { z } from "zod";
import { setting } from "../../config/setting.ts";

/** The word in place of an address: the simulator that `npm start` runs. */
export const SIMULATOR = "simulator";

const address = z
  .string()
  .max(2048)
  .refine(
    (text) => text === "" || text === SIMULATOR || /^https:\/\/[^\s?#]+$/.test(text),
    "must be an https:// address",
  )
  .default("");

export const invoicingSettings = z.object({
  NFSE_URL_LIVE: setting(address, {
    meaning:
      "the tax authority's address for invoices of live, such as `https://sefin.nfse.gov.br/SefinNacional`; set it for `migrate`, gateway and worker. Without it, no invoice is transmitted. `simulator` is the one that `npm start` runs, never in production",
    atStart: SIMULATOR,
    neverInProduction: SIMULATOR,
    inDatabase: "nfse_url_live",
  }),
  NFSE_URL_TEST: setting(address, {
    meaning: "the same for test: `https://sefin.producaorestrita.nfse.gov.br/SefinNacional`",
    atStart: SIMULATOR,
    neverInProduction: SIMULATOR,
    inDatabase: "nfse_url_test",
  }),
  NFSE_CA_FILE: setting(z.string().min(1).max(4096).optional(), {
    meaning: "a PEM file with the authorities of the tax authority's server, instead of the system's",
    shown: "those of the system",
  }),
  NFSE_TRUSTED_CERTIFICATES: setting(z.string().min(1).max(4096).optional(), {
    meaning: "a PEM file with the certificates that sign the tax authority's answers, or that issue those of signers",
    inDatabase: "nfse_trusted_certificates",
  }),
});
