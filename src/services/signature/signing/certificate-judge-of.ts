import type { FairSlots } from "../../../adapters/fair-slots.ts";
import { DnsResolver } from "../../../adapters/outgoing-http/resolver.ts";
import { readRoots } from "../../../adapters/signer-certificate/read-roots.ts";
import { createRevocationCache } from "../../../adapters/signer-certificate/revocation-cache.ts";
import { RevocationFetcher } from "../../../adapters/signer-certificate/revocation-fetcher.ts";
import type { Config } from "../../../config/config.ts";
import { platformSettings } from "../../platform/settings.ts";
import { proofSettings } from "../settings.ts";
import { CertificateJudge } from "./certificate-judge.ts";

/**
 * The judge of a gateway.
 * @throws ConfigError for a folder of authorities that cannot be read
 */
export async function certificateJudgeOf(config: Config, slots: FairSlots): Promise<CertificateJudge> {
  const settings = config.of(proofSettings);
  const rootsOf = async (name: "ICP_BRASIL_ROOTS" | "ICP_BRASIL_TEST_ROOTS") => {
    const folder = settings[name];
    return folder === undefined ? [] : readRoots(name, folder);
  };
  const fetcher = new RevocationFetcher({ resolver: new DnsResolver(config.dnsResolvers ?? []) });
  return new CertificateJudge({
    roots: { live: await rootsOf("ICP_BRASIL_ROOTS"), test: await rootsOf("ICP_BRASIL_TEST_ROOTS") },
    revocation: { fetcher, cache: createRevocationCache(), slots },
    allowsLoopback: config.of(platformSettings).WEBHOOK_ALLOW_LOOPBACK === "1",
    slots,
  });
}
