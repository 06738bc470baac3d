import { once } from "node:events";
import { askTarget, type TargetAnswer } from "../../../adapters/resolver/ask-target.ts";
import { PUBLIC_DNS_LIMITS, type PublicDns } from "../../../adapters/resolver/public-dns.ts";
import type { Config } from "../../../config/config.ts";
import { forRequests, publicDnsOf } from "../delegation/public-dns-of.ts";

/** What the public DNS said about a target of ALIAS records, as `dns.record_alias_target` takes it. */
export interface AskedTarget {
  readonly name: string;
  readonly answers: readonly TargetAnswer[];
}

/** The time of a request for ALIAS names: issue "DNS hosting II" §4. */
export const ALIAS_MS = 2_000;

/** Asks the public DNS for targets of ALIAS records, within a request. */
export class AliasTargets {
  readonly #dns: PublicDns;

  constructor(publicDns: PublicDns) {
    this.#dns = publicDns;
  }

  static of(config: Pick<Config, "dnsResolvers" | "dnsLoopbackPort">): AliasTargets {
    // What waits ends with its request, so none is refused.
    const { perGroup } = forRequests(PUBLIC_DNS_LIMITS.atOnce);
    return new AliasTargets(publicDnsOf(config, { taskMs: ALIAS_MS, groups: { perGroup } }));
  }

  /**
   * What the public DNS says about these names.
   * @param group whose names these are: organizations take turns
   * @returns without the names that were not answered before the signal; a worker asks for them again
   */
  async ask(names: readonly string[], late: AbortSignal, group: string): Promise<readonly AskedTarget[]> {
    const asked: AskedTarget[] = [];
    const all = names.map((name) =>
      this.#dns.task(async (asking) => {
        // Its turn may come when nobody waits any more.
        if (late.aborted) return;
        const answers = await askTarget(asking, name);
        if (!late.aborted) asked.push({ name, answers });
      }, group),
    );
    await Promise.race([Promise.all(all), once(late, "abort")]);
    return [...asked];
  }
}
