import { parse } from "tldts";

/** The roots of reverse zones. Zones below them are allowed. */
const REVERSE_ROOTS = ["in-addr.arpa", "ip6.arpa"];

/** The part of a name that somebody registered; the name itself where nobody can. */
const registered = (host: string): string => parse(host, { allowPrivateDomains: false }).domain ?? host;

/**
 * Whether nobody may have a zone of this name: a public suffix of ICANN's, or a domain of the service. SQL knows the special names.
 * @param name lower case, without a final dot
 * @param ownHosts hosts of the service; each name in their domains is reserved
 */
export function isReservedName(name: string, ownHosts: readonly string[]): boolean {
  const isWithin = (domain: string) => name === domain || name.endsWith(`.${domain}`);
  if (REVERSE_ROOTS.includes(name)) return true;
  const { publicSuffix, isIcann } = parse(name, { allowPrivateDomains: false });
  return (isIcann === true && publicSuffix === name) || ownHosts.map(registered).some(isWithin);
}
