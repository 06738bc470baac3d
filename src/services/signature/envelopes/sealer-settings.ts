import fs from "node:fs";
import { certificatesIn, TimeStampAuthority } from "../../../adapters/time-stamp/time-stamp-authority.ts";
import { type Config, ConfigError } from "../../../config/config.ts";
import { proofSettings } from "../settings.ts";
import { OwnCertificate } from "./own-certificate.ts";
import type { TimeStamps } from "./pdf-sealer.ts";

/** What the settings say about seals of live. */
interface SealerSettings {
  /** Null: ours. */
  readonly own: OwnCertificate | null;
  /** Null: no time stamps. */
  readonly timeStamps: TimeStamps | null;
  /** DER: the roots of that authority. */
  readonly stampRoots: readonly Buffer[];
}

/**
 * Reads SEAL_CERTIFICATE_FILE and the settings that go with it, and those of the time-stamp authority.
 * @throws ConfigError
 */
export const sealerSettings = (config: Pick<Config, "of">): SealerSettings => ({
  own: ownCertificate(config),
  ...timeStamps(config),
});

/**
 * The operator's own certificate; null without one.
 * @throws ConfigError if one of the two files is not set
 */
export function ownCertificate(config: Pick<Config, "of">): OwnCertificate | null {
  const { SEAL_CERTIFICATE_FILE: certificate, SEAL_KEY_FILE: key } = config.of(proofSettings);
  if (certificate === undefined && key === undefined) return null;
  if (key === undefined) throw new ConfigError("SEAL_KEY_FILE: must be set with SEAL_CERTIFICATE_FILE");
  if (certificate === undefined) throw new ConfigError("SEAL_CERTIFICATE_FILE: must be set with SEAL_KEY_FILE");
  return new OwnCertificate({ certificate, key });
}

function timeStamps(config: Pick<Config, "of">): Pick<SealerSettings, "timeStamps" | "stampRoots"> {
  const { TSA_URL: url, TSA_CA_FILE: file, TSA_REQUIRED } = config.of(proofSettings);
  const isRequired = TSA_REQUIRED === "1";
  if (url === undefined) {
    // Who sets one of these believes that there are time stamps.
    if (file !== undefined) throw new ConfigError("TSA_URL: must be set with TSA_CA_FILE");
    if (isRequired) throw new ConfigError("TSA_URL: must be set with TSA_REQUIRED");
    return { timeStamps: null, stampRoots: [] };
  }
  if (file === undefined) throw new ConfigError("TSA_CA_FILE: must be set with TSA_URL");
  try {
    const roots = fs.readFileSync(file, "utf8");
    const timeStamps = { authority: new TimeStampAuthority({ url, roots }), isRequired };
    return { timeStamps, stampRoots: certificatesIn(roots) };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : error);
    throw new ConfigError(`TSA_CA_FILE: ${file} cannot be used (${reason})`, { cause: error });
  }
}
