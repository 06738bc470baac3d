import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "../ip-addresses.ts";

/** An address that webhooks may be posted to, judged by its text. The IP addresses of its name are checked with every connection. */
export interface WebhookUrl {
  /** The address as the URL standard writes it. */
  readonly url: string;
  /** Whether the address is http:// to this machine: allowed for test tokens, if the deployment allows it. */
  readonly isLoopback: boolean;
}

const MOST_CHARACTERS = 2_048;
/** Of a host name without its final dot, and of a label: as ASCII. */
const MOST_NAME_CHARACTERS = 253;
const MOST_LABEL_CHARACTERS = 63;

/**
 * Checks the text of an address after the URL standard has parsed it, so that every spelling of an IP address
 * (`0x7f.1`, `2130706433`, `[::ffff:127.0.0.1]`) is checked as the address it stands for.
 * @returns the address, or the reason for its refusal in words for the caller
 */
export function readWebhookUrl(text: string, allowLoopback: boolean): WebhookUrl | { readonly refused: string } {
  return readUrl(text, { allowLoopback, allowHttp: false });
}

/**
 * Checks the address of something that its publisher signed, such as a list of revoked certificates. It may have http://, too: nobody on the way can
 * change what is signed.
 */
export function readPublishedUrl(text: string, allowLoopback: boolean): WebhookUrl | { readonly refused: string } {
  return readUrl(text, { allowLoopback, allowHttp: true });
}

function readUrl(
  text: string,
  { allowLoopback, allowHttp }: { readonly allowLoopback: boolean; readonly allowHttp: boolean },
): WebhookUrl | { readonly refused: string } {
  if (text.length > MOST_CHARACTERS) return { refused: `must have at most ${MOST_CHARACTERS} characters` };
  if (!URL.canParse(text)) return { refused: "must be a URL such as https://example.com/webhooks" };
  const url = new URL(text);
  if (url.href.length > MOST_CHARACTERS) return { refused: `must have at most ${MOST_CHARACTERS} characters` };
  if (url.protocol !== "https:" && url.protocol !== "http:") return { refused: "must be an https:// address" };
  if (url.username !== "" || url.password !== "") return { refused: "must not hold credentials" };
  url.hash = "";
  const host = hostOf(url);
  // No name server knows such a name (RFC 1035 §2.3.4): every attempt would fail.
  if (host.length > MOST_NAME_CHARACTERS)
    return { refused: `must have a host name with at most ${MOST_NAME_CHARACTERS} characters` };
  if (host.split(".").some((label) => label.length > MOST_LABEL_CHARACTERS))
    return { refused: `must have a host name with at most ${MOST_LABEL_CHARACTERS} characters between dots` };
  if (url.protocol === "http:") {
    if (allowLoopback && isLoopbackHost(host)) return { url: url.href, isLoopback: true };
    if (!allowHttp) return { refused: "must be an https:// address" };
  }
  // The URL standard leaves the port of the protocol out.
  if (url.port !== "" && Number(url.port) < 1_024) return { refused: portRule(url) };
  if (isIP(host) !== 0) {
    return isPublicAddress(host)
      ? { url: url.href, isLoopback: false }
      : { refused: "must not be a private or reserved address" };
  }
  // `localhost..` has an empty label: it is not a host name, although some resolvers accept it.
  if (host.split(".").includes("")) return { refused: "must have a host name" };
  if (isLocalName(host)) return { refused: "must not be a local name" };
  return { url: url.href, isLoopback: false };
}

const portRule = ({ protocol }: URL): string =>
  `must have port ${protocol === "https:" ? 443 : 80} or a port from 1024`;

/** The host of a URL, without the brackets of IPv6 and without a final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.+)\]$/, "$1").replace(/\.$/, "");
}

/** Names that no public name server knows. */
function isLocalName(host: string): boolean {
  return !host.includes(".") || /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/.test(host);
}

function isLoopbackHost(host: string): boolean {
  return isLoopbackAddress(host) || /(^|\.)localhost$/.test(host);
}
