import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { errorCode } from "../programs/program-error.ts";

/** How gateways reach the control servers of nameservers. */
export interface ControlAccess {
  /** `https://ns1.example.net:5380`, one for each nameserver. */
  readonly urls: readonly string[];
  /** Their bearer key. */
  readonly key: string;
  /** The certificates, PEM, that may sign theirs, in place of those that everybody trusts; null for the latter. */
  readonly ca: string | null;
}

interface ControlRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly signal: AbortSignal;
}

type ControlDoor = Pick<ControlAccess, "key" | "ca">;

/**
 * Sends a request to a control server. Redirects are not followed, because the key goes with the request.
 * @returns the status of the answer, whose body is not read
 * @throws Error where no answer comes: nobody listens, the certificate is not trusted, or the signal ended it
 */
export async function requestControl(door: ControlDoor, url: string, request: ControlRequest): Promise<number> {
  return (await sent(door, url, request, false)).status;
}

/**
 * The same with the body of the answer, of which 10 KB are read.
 * @throws Error where no answer comes, or not a whole one
 */
export function readControl(door: ControlDoor, url: string, request: ControlRequest): Promise<ControlAnswer> {
  return sent(door, url, request, true);
}

interface ControlAnswer {
  readonly status: number;
  /** Empty where it is not read. */
  readonly text: string;
}

const MOST_READ = 10_000;

async function sent(door: ControlDoor, url: string, request: ControlRequest, isRead: boolean): Promise<ControlAnswer> {
  try {
    return await send(door, url, request, isRead);
  } catch (error) {
    // The server closed a kept connection at this moment. A flush may be made twice.
    if (error instanceof StaleConnection) return send(door, url, request, isRead);
    throw error;
  }
}

class StaleConnection extends Error {}

function send(
  { key, ca }: ControlDoor,
  url: string,
  { method, path, body, signal }: ControlRequest,
  isRead: boolean,
): Promise<ControlAnswer> {
  return new Promise((resolve, reject) => {
    const address = new URL(path, url);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const options = { method, headers, signal };
    const answered = (answer: IncomingMessage) => {
      const status = answer.statusCode ?? 0;
      if (isRead) {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
          if (text.length > MOST_READ) answer.destroy(new Error("the answer is too long"));
        });
        answer.on("end", () => resolve({ status, text }));
        answer.on("error", reject);
        return;
      }
      answer.resume();
      // Cut after the status: the status counts.
      answer.on("error", () => {});
      resolve({ status, text: "" });
    };
    // Node's own agents keep connections, those with other certificates apart.
    const request =
      address.protocol === "https:"
        ? https.request(address, { ...options, ...(ca === null ? {} : { ca, allowPartialTrustChain: true }) }, answered)
        : http.request(address, options, answered);
    request.on("error", (error) => {
      const isStale = request.reusedSocket && errorCode(error) === "ECONNRESET" && !signal.aborted;
      reject(isStale ? new StaleConnection(error.message) : error);
    });
    request.end(body);
  });
}
