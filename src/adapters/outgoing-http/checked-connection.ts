// Connections to addresses that others choose: of webhooks, of storages, of authorities that certificates name.
import type net from "node:net";
import { isIP } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { buildConnector, errors } from "undici";
import { AnswerTooLarge } from "./answer-limit.ts";
import { closeAfterErrors, withServerName } from "./operator-connection.ts";
import type { Resolver } from "./resolver.ts";
import { isTlsFailure, markTlsFailure } from "./tls-failure.ts";
import { hostOf } from "./url-rules.ts";

/** Why an exchange has no whole answer: a stable name for those who read a list of attempts. */
export type ExchangeFailure =
  | "address_refused"
  | "dns_failed"
  | "connection_failed"
  | "connection_reset"
  | "tls_failed"
  | "timeout"
  | "protocol_error"
  | "response_too_large";

/** Where a server on this machine may listen, whatever its name servers say of the name. */
const LOCALHOST = ["127.0.0.1", "::1"];
/** Most addresses of each kind that are tried for a name. A DNS answer may hold four thousand, and Node recurses for each address that fails at once. */
const MOST_ADDRESSES = 4;

class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

interface ConnectorOptions {
  readonly resolver: Resolver;
  readonly isAllowed: (address: string) => boolean;
  readonly connectMs: number;
  readonly ca: string | undefined;
  /** Called with each connected socket, before anything is sent over it. */
  readonly onSocket: (socket: net.Socket) => void;
}

/** Connects to the first address of a name that answers, after all its addresses were checked: the checked address is the connected one. */
export function checkedConnector(settings: ConnectorOptions): buildConnector.connector {
  const { resolver, isAllowed, connectMs, ca, onSocket } = settings;
  const lookup: net.LookupFunction = (hostname, options, done) => {
    const name = hostname.replace(/\.$/, "");
    const found = /(^|\.)localhost$/.test(name) ? Promise.resolve(LOCALHOST) : resolver.resolve(hostname);
    found.then(
      (addresses) => {
        // One forbidden address refuses the name: a name with both kinds is suspicious.
        if (!addresses.every(isAllowed)) return done(new AddressRefused(), "", 0);
        const all = [4, 6].flatMap((family) =>
          addresses
            .filter((address) => isIP(address) === family)
            .slice(0, MOST_ADDRESSES)
            .map((address) => ({ address, family })),
        );
        if (options.all) return done(null, all);
        return done(null, all[0]?.address ?? "", all[0]?.family ?? 0);
      },
      (error: NodeJS.ErrnoException) => done(Object.assign(error, { syscall: "dns" }), "", 0),
    );
  };
  const connect = buildConnector({
    timeout: connectMs,
    lookup,
    autoSelectFamily: true,
    // A server could otherwise choose HTTP/2, where the limits of an exchange (headers, destroying the connection) do not work.
    allowH2: false,
    // One context for all connections. Node would make one for each, and V8 would not collect them, because it does not see their memory.
    secureContext: createSecureContext(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    const host = hostOf(
      new URL(
        `${options.protocol}//${options.hostname.includes(":") && !options.hostname.startsWith("[") ? `[${options.hostname}]` : options.hostname}`,
      ),
    );
    // A literal address needs no look-up.
    if (isIP(host) !== 0 && !isAllowed(host)) return callback(new AddressRefused(), null);
    const connecting: unknown = connect(withServerName(options), (...outcome) => {
      const [error, socket] = outcome;
      if (error === null) {
        closeAfterErrors(socket);
        onSocket(socket);
      }
      // The types of undici do not say so: its connector returns the socket.
      else if (connecting instanceof TLSSocket) markTlsFailure(error, connecting);
      callback(...outcome);
    });
  };
}

/** Maps codes of Node and OpenSSL to names for readers of the list. */
export function failureOf(error: unknown): ExchangeFailure {
  if (error instanceof AddressRefused) return "address_refused";
  if (error instanceof AnswerTooLarge) return "response_too_large";
  if (error instanceof errors.ConnectTimeoutError) return "timeout";
  const { code = "", syscall = "" } = error as NodeJS.ErrnoException;
  if (syscall === "dns" || syscall.startsWith("query")) return "dns_failed";
  if (isTlsFailure(error)) return "tls_failed";
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|ENETDOWN)$/.test(code))
    return "connection_failed";
  if (error instanceof errors.HTTPParserError) return "protocol_error";
  // Undici's code for a Content-Length that differs from the body.
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "protocol_error";
  return "connection_reset";
}
