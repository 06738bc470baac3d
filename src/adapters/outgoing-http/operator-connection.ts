// Connections to addresses that the operator names, at any address.
import type net from "node:net";
import { isIP } from "node:net";
import { buildConnector } from "undici";
import { passOverInterimAnswers } from "./interim-answers.ts";

/**
 * Undici's connector for HTTP/1.1, with names and interim answers as in `checked-connection.ts`.
 * @param onSocket called with each connected socket, before anything is sent over it
 */
export function operatorConnector(
  options: buildConnector.BuildOptions,
  onSocket: (socket: net.Socket) => void = passOverInterimAnswers,
): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false });
  return (asked, callback) =>
    connect(withServerName(asked), (...outcome) => {
      const [error, socket] = outcome;
      if (error === null) {
        closeAfterErrors(socket);
        onSocket(socket);
      }
      callback(...outcome);
    });
}

/**
 * Closes a connection after an error of TLS behind its handshake, as when a server of TLS 1.3 wants a certificate. Node emits such an error and leaves the
 * connection open, and undici waits for its end.
 */
export function closeAfterErrors(socket: net.Socket): void {
  socket.once("error", () => socket.destroy());
}

/** RFC 6066 §3: server names in TLS have no final dot, and names in certificates have none. */
export function withServerName(options: buildConnector.Options): buildConnector.Options {
  const name = options.hostname.replace(/\.$/, "");
  return isIP(name) !== 0 || name.startsWith("[") ? options : { ...options, servername: name };
}
