import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import {
  type Answer,
  type DecodedPacket,
  decode,
  encode,
  type OptAnswer,
  type Packet,
  type RecordType,
} from "dns-packet";
import { ProgramError } from "../programs/program-error.ts";

/** Where a nameserver answers. */
export interface DnsServer {
  readonly host: string;
  readonly port: number;
}

export interface DnsQuestion {
  /** With or without the final dot. */
  readonly name: string;
  readonly type: RecordType;
}

/** What a nameserver answered. */
export interface DnsReply {
  /** The name of the response code (RFC 1035, 4.1.1): `NOERROR`, `NXDOMAIN`. */
  readonly status: string;
  readonly isAuthoritative: boolean;
  /** The answer did not fit into a datagram. */
  readonly cameByTcp: boolean;
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
}

/** A record of an answer; its `data` has the form that dns-packet gives its type. */
export type DnsRecord = Exclude<Answer, OptAnswer>;

export interface AskOptions {
  /** Of one attempt. */
  readonly timeoutMs?: number;
  /** Datagrams may be lost. */
  readonly attempts?: number;
}

const STATUSES = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"];
/** A datagram of this size is not cut on its way (DNS Flag Day 2020). */
const UDP_BYTES = 1_232;

/**
 * Asks a nameserver over UDP, and over TCP if the answer is truncated (RFC 7766). Asks for no recursion.
 * @throws ProgramError if no answer comes
 */
export async function askDns(server: DnsServer, question: DnsQuestion, options: AskOptions = {}): Promise<DnsReply> {
  const { timeoutMs = 2_000, attempts = 2 } = options;
  const query = queryOf(question);
  let last: unknown;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      const short = answerTo(query, await overUdp(server, query.bytes, timeoutMs));
      if (!short.flag_tc) return replyOf(short, false);
      return replyOf(answerTo(query, await overTcp(server, query.bytes, timeoutMs)), true);
    } catch (error) {
      last = error;
    }
  }
  const why = last instanceof Error ? last.message : String(last);
  throw new ProgramError(`${server.host}:${server.port} does not answer: ${why}`, { cause: last });
}

interface Query {
  readonly id: number;
  readonly question: DnsQuestion;
  readonly bytes: Buffer;
}

/** A question as it is sent; its id is random. */
export function queryOf({ name, type }: DnsQuestion): Query {
  const id = randomInt(65_536);
  const question = { name: name.replace(/\.$/, ""), type };
  const edns: OptAnswer = {
    type: "OPT",
    name: ".",
    udpPayloadSize: UDP_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  const packet: Packet = { type: "query", id, flags: 0, questions: [question], additionals: [edns] };
  return { id, question, bytes: encode(packet) };
}

/** Somebody else's datagram, or one for an earlier question, is no answer. */
function answerTo({ id, question }: Query, bytes: Buffer): DecodedPacket {
  const packet = decode(bytes);
  const [asked] = packet.questions ?? [];
  const isOurs = packet.id === id && packet.flag_qr && (asked === undefined || sameName(asked.name, question.name));
  if (!isOurs) throw new Error("the answer is for another question");
  return packet;
}

const sameName = (one: string, other: string) =>
  one.replace(/\.$/, "").toLowerCase() === other.replace(/\.$/, "").toLowerCase();

function replyOf(packet: DecodedPacket, cameByTcp: boolean): DnsReply {
  const code = (packet.flags ?? 0) & 15;
  const records = (all: readonly Answer[] = []) => all.filter((each): each is DnsRecord => each.type !== "OPT");
  return {
    status: STATUSES[code] ?? `RCODE${code}`,
    isAuthoritative: packet.flag_aa,
    cameByTcp,
    answers: records(packet.answers),
    authorities: records(packet.authorities),
  };
}

function overUdp({ host, port }: DnsServer, bytes: Buffer, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
    const end = (act: () => void) => {
      clearTimeout(late);
      socket.close();
      act();
    };
    const late = setTimeout(() => end(() => reject(new Error(`no answer within ${timeoutMs} ms`))), timeoutMs);
    socket.once("error", (error) => end(() => reject(error)));
    socket.once("message", (message) => end(() => resolve(message)));
    // Connected: the system drops what others send.
    socket.connect(port, host, () => socket.send(bytes));
  });
}

function overTcp({ host, port }: DnsServer, bytes: Buffer, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let received = Buffer.alloc(0);
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    socket.once("connect", () => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(bytes.length);
      socket.write(Buffer.concat([length, bytes]));
    });
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const length = received.length < 2 ? Number.POSITIVE_INFINITY : received.readUInt16BE();
      if (received.length < length + 2) return;
      resolve(received.subarray(2, length + 2));
      socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the connection was closed before the answer")));
  });
}
