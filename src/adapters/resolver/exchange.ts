import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import {
  isAskable,
  type Query,
  type Question,
  queryOf,
  type Reply,
  type ReplyLimits,
  readFormatError,
  readReply,
} from "./message.ts";

/** Where a name server answers. */
export interface DnsServer {
  readonly host: string;
  readonly port: number;
}

/** A server did not answer a query. The words name no server: they may reach the caller of an API. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
}

export interface AskOptions {
  /** Whether the server is to ask others. */
  readonly recursive: boolean;
  /** Of the query, with all its parts. */
  readonly timeoutMs: number;
  /** Of a message; those of strangers by default. */
  readonly limits?: ReplyLimits;
}

/**
 * Asks one server: over UDP from a random port, over TCP if the answer is truncated (RFC 7766). Messages that do not answer the question are
 * ignored, because a stranger may have sent them.
 * @throws NoAnswerError if no answer comes in time, or if no message can hold the name
 */
export async function askServer(server: DnsServer, question: Question, options: AskOptions): Promise<Reply> {
  if (!isAskable(question.name)) throw new NoAnswerError("no message can hold the name");
  const ends = performance.now() + options.timeoutMs;
  const ask = async (edns: boolean): Promise<Reply> => {
    const { recursive, limits } = options;
    const short = await overUdp(server, queryOf(question, { recursive, edns }), ends, limits);
    if (!short.isTruncated) return short;
    return { ...(await overTcp(server, queryOf(question, { recursive, edns }), ends, limits)), cameByTcp: true };
  };
  const reply = await ask(true);
  return reply.status === "FORMERR" ? ask(false) : reply;
}

function overUdp({ host, port }: DnsServer, query: Query, ends: number, limits?: ReplyLimits): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
    let isOpen = true;
    const end = (act: () => void) => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(late);
      socket.close();
      act();
    };
    const fail = (why: string) => end(() => reject(new NoAnswerError(why)));
    const late = setTimeout(() => fail("no answer in time"), Math.max(0, ends - performance.now()));
    socket.on("error", () => fail("no server is there"));
    socket.on("message", (message) => {
      const reply = readReply(query, message, limits) ?? readFormatError(query, message);
      if (reply !== null) end(() => resolve(reply));
    });
    socket.once("connect", () => socket.send(query.bytes));
    // Connected: the system drops what other addresses send. It also chooses the port, at random.
    socket.connect(port, host);
  });
}

function overTcp({ host, port }: DnsServer, query: Query, ends: number, limits?: ReplyLimits): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let received = Buffer.alloc(0);
    const fail = (why: string) => {
      socket.destroy();
      clearTimeout(late);
      reject(new NoAnswerError(why));
    };
    const late = setTimeout(() => fail("no answer in time"), Math.max(0, ends - performance.now()));
    socket.once("connect", () => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(query.bytes.length);
      socket.write(Buffer.concat([length, query.bytes]));
    });
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      // The length of the message comes first (RFC 1035 §4.2.2), so this ends after 64 KiB at most.
      if (received.length < 2 || received.length < received.readUInt16BE() + 2) return;
      const reply = readReply(query, received.subarray(2, received.readUInt16BE() + 2), limits);
      if (reply === null || reply.isTruncated) return fail("the answer cannot be used");
      socket.destroy();
      clearTimeout(late);
      resolve(reply);
    });
    socket.once("error", () => fail("no server is there"));
    socket.once("close", () => fail("the connection was closed before the answer"));
  });
}
