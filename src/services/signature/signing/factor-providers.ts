import type { MatchProvider, QuestionProvider } from "../../../adapters/identity/contracts.ts";
import { IdentityProvider } from "../../../adapters/identity/identity-provider.ts";
import { testProvider } from "../../../adapters/identity/test-provider.ts";
import type { Config } from "../../../config/config.ts";
import { proofSettings } from "../settings.ts";

interface Providers {
  /** Null where the deployment has none: then no envelope that needs it was sent. */
  readonly questions: QuestionProvider | null;
  readonly match: MatchProvider | null;
}

/** Who judges second factors. The test environment asks nobody. */
export interface FactorProviders {
  readonly of: (environment: "live" | "test") => Providers;
  readonly close: () => Promise<void>;
}

/** The providers of a gateway. */
export function factorProvidersOf(config: Config): FactorProviders {
  const { KBA_URL, KBA_TOKEN, IDENTITY_URL, IDENTITY_TOKEN } = config.of(proofSettings);
  const made = (url: string | undefined, token: string | undefined) =>
    url === undefined ? null : new IdentityProvider({ url, token });
  const live = { questions: made(KBA_URL, KBA_TOKEN), match: made(IDENTITY_URL, IDENTITY_TOKEN) };
  return {
    of: (environment) => (environment === "test" ? { questions: testProvider, match: testProvider } : live),
    close: async () => {
      await Promise.all([live.questions?.close(), live.match?.close()]);
    },
  };
}
