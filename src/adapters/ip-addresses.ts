import ipaddr from "ipaddr.js";

/** IPv6 addresses that are anybody's (RFC 4291 §2.4); everything outside is refused, known to ipaddr.js or not. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Public addresses that answer only inside a cloud: Azure's wire server. */
const INSIDE_CLOUDS = ["168.63.129.16"];

/**
 * Whether a webhook may be posted to an IP address: only to what the whole internet reaches. Refused are private,
 * loopback, link-local (metadata services among them), carrier-grade NAT, multicast, reserved and documentation
 * addresses, and IPv6 forms that carry an IPv4 address to somebody who unwraps it (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === "ipv4") return address.range() === "unicast" && !INSIDE_CLOUDS.includes(address.toString());
  return address.range() === "unicast" && (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** Whether an IP address is this machine itself. */
export function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.parse(text).range() === "loopback";
}

/**
 * Whose an address is: IPv4 as it is, also where IPv6 carries it; of IPv6 the first 64 bits, which one subscriber has for
 * himself alone (RFC 6177). Without the port that some proxies write behind the address: the caller chooses it.
 * @param forwarded as a socket or a proxy gives it; what is no address is its own network
 */
export function networkOf(forwarded: string): string {
  const text = forwarded.replace(/^\[(.*)\](:\d+)?$/s, "$1").replace(/^((?:::ffff:)?\d+\.\d+\.\d+\.\d+):\d+$/i, "$1");
  // A zone names an interface of ours; ipaddr.js reads few of their names.
  const ipv6 = text.replace(/%.+$/s, "");
  if (!ipaddr.IPv6.isValid(ipv6)) return text;
  const address = ipaddr.process(ipv6);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}
