import ipaddr from "ipaddr.js";

/** Global unicast IPv6 addresses (RFC 4291 §2.4). All others are refused, even those that ipaddr.js does not know. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Public addresses that answer only inside a cloud: Azure's wire server. */
const INSIDE_CLOUDS = ["168.63.129.16"];

/**
 * Whether an IP address that somebody else chose may be connected to, such as that of a webhook or of a domain's
 * nameserver: only public internet addresses are allowed. Refused are private, loopback, link-local (metadata services
 * among them), carrier-grade NAT, multicast, reserved and documentation addresses, and IPv6 forms that carry an IPv4 address for somebody to unwrap (mapped, compatible, NAT64, 6to4, Teredo).
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
 * The network of a caller. An IPv4 address is its own network, also inside IPv6. Of IPv6 it is the first 64 bits, which belong to one subscriber
 * (RFC 6177). A port, which some proxies add behind the address, is removed, because the caller chooses it.
 * @param forwarded the address from a socket or a proxy; a text that is not an address is its own network
 */
export function networkOf(forwarded: string): string {
  const text = forwarded.replace(/^\[(.*)\](:\d+)?$/s, "$1").replace(/^((?:::ffff:)?\d+\.\d+\.\d+\.\d+):\d+$/i, "$1");
  // A zone names an interface of this machine; ipaddr.js reads few zone names.
  const ipv6 = text.replace(/%.+$/s, "");
  if (!ipaddr.IPv6.isValid(ipv6)) return text;
  const address = ipaddr.process(ipv6);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}
