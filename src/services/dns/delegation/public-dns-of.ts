import type { FairSlotsOptions } from "../../../adapters/fair-slots.ts";
import { PublicDns, type PublicDnsOptions } from "../../../adapters/resolver/public-dns.ts";
import type { Config } from "../../../config/config.ts";

/** The public DNS of the settings. */
export const publicDnsOf = (
  { dnsResolvers, dnsLoopbackPort }: Pick<Config, "dnsResolvers" | "dnsLoopbackPort">,
  more: Omit<PublicDnsOptions, "resolvers" | "loopbackPort"> = {},
): PublicDns =>
  new PublicDns({ ...(dnsResolvers ? { resolvers: dnsResolvers } : {}), loopbackPort: dnsLoopbackPort, ...more });

/**
 * For requests, which wait. An organization whose zones have silent servers leaves half of the tasks to others. As many of its tasks wait as run, and
 * of all organizations twice as many, so nobody waits for more than three turns.
 */
export const forRequests = (atOnce: number): Required<FairSlotsOptions> => ({
  perGroup: Math.floor(atOnce / 2),
  mostOfGroup: atOnce,
  most: 3 * atOnce,
});
