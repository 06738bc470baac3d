import type { FastifyRequest } from "fastify";
import { isLoopbackAddress } from "../../adapters/ip-addresses.ts";

/** Headers that a proxy or a tunnel adds: then the sender may be anywhere. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/**
 * Whether the request was, as far as can be seen, sent on this machine, by a person who opens a page: it comes from a loopback address and through no
 * proxy, and it names this machine. A page of another site can be made to resolve to 127.0.0.1 (DNS rebinding), but its requests then name that site.
 * @param publicUrl a deployment whose address is known elsewhere counts as reached from elsewhere
 */
export function isFromOwnMachine({ headers, ip, raw, socket }: FastifyRequest, publicUrl: string): boolean {
  const destination = headers["sec-fetch-dest"];
  return (
    isLoopback(socket.remoteAddress ?? "") &&
    isLoopback(ip) &&
    // No browser of today speaks HTTP/1.0. nginx before 1.29.7 does by default. A later one that adds no header and passes requests on to `localhost` cannot be told from a reader here.
    raw.httpVersion !== "1.0" &&
    FORWARDED.every((name) => headers[name] === undefined) &&
    namesOwnMachine(`http://${headers.host ?? ""}`) &&
    namesOwnMachine(publicUrl) &&
    // A script of another origin reads no page here.
    headers.origin === undefined &&
    (destination === undefined || destination === "document")
  );
}

function namesOwnMachine(address: string): boolean {
  const { hostname = "" } = URL.parse(address) ?? {};
  return hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
}

/** A listener of IPv6 sees addresses of IPv4 inside IPv6. */
function isLoopback(address: string): boolean {
  return isLoopbackAddress(address.replace(/^::ffff:(?=\d+\.)/i, ""));
}
