import { randomInt } from "node:crypto";
import {
  type Answer,
  type DecodedPacket,
  decode,
  encode,
  type OptAnswer,
  type Packet,
  RECURSION_DESIRED,
  type RecordType,
} from "dns-packet";

export interface Question {
  /** With or without the final dot. */
  readonly name: string;
  readonly type: RecordType;
}

/** A record of an answer; its `data` has the form that dns-packet gives its type. */
export type DnsRecord = Exclude<Answer, OptAnswer>;

/** What a name server answered. */
export interface Reply {
  /** The name of the response code (RFC 1035 §4.1.1): `NOERROR`, `NXDOMAIN`. */
  readonly status: string;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  /** The answer did not fit into a datagram. */
  readonly cameByTcp: boolean;
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
}

/** A question as it is sent. */
export interface Query {
  readonly id: number;
  readonly question: Question;
  readonly bytes: Buffer;
}

/** A datagram of this size is not cut on its way (DNS Flag Day 2020). */
const UDP_BYTES = 1_232;
/** Compression pointers may lead from name to name. These limits keep the reading of a hostile message below some milliseconds. */
const OF_STRANGERS: ReplyLimits = { bytes: 16 * 1024, records: 500 };
/** A message over TCP is no longer (RFC 1035 §4.2.2). For servers of our own. */
export const WHOLE_MESSAGES: ReplyLimits = { bytes: 65_535, records: 65_535 };

export interface ReplyLimits {
  readonly bytes: number;
  readonly records: number;
}

const FORMERR = 1;
const STATUSES = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"];

/** A query with a random id. A server that does not know EDNS (RFC 6891) answers FORMERR: then it is asked without. */
export function queryOf({ name, type }: Question, options: { recursive: boolean; edns: boolean }): Query {
  const id = randomInt(65_536);
  const question = { name: plainName(name), type };
  const opt: OptAnswer = {
    type: "OPT",
    name: ".",
    udpPayloadSize: UDP_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  const packet: Packet = {
    type: "query",
    id,
    flags: options.recursive ? RECURSION_DESIRED : 0,
    questions: [{ ...question, class: "IN" }],
    additionals: options.edns ? [opt] : [],
  };
  return { id, question, bytes: encode(packet) };
}

/**
 * Reads a message that a server sent.
 * @returns null if the message does not answer the query: another id, another question, no answer at all, more bytes or records than the
 * limits allow (16 KiB and 500), or bytes that are no message
 */
export function readReply({ id, question }: Query, bytes: Buffer, limits: ReplyLimits = OF_STRANGERS): Reply | null {
  if (bytes.length < 12 || bytes.length > limits.bytes || bytes.readUInt16BE(0) !== id) return null;
  const records = [6, 8, 10].map((place) => bytes.readUInt16BE(place)).reduce((sum, count) => sum + count, 0);
  if (bytes.readUInt16BE(4) !== 1 || records > limits.records) return null;
  let packet: DecodedPacket;
  try {
    packet = decode(bytes);
    // dns-packet reads a record that is cut off as a shorter one.
    if (decode.bytes > bytes.length) return null;
  } catch {
    return null;
  }
  const [asked] = packet.questions ?? [];
  const isOurs =
    packet.flag_qr &&
    asked !== undefined &&
    asked.type === question.type &&
    asked.class === "IN" &&
    isSameName(asked.name, question.name);
  if (!isOurs) return null;
  const code = (packet.flags ?? 0) & 15;
  return {
    status: STATUSES[code] ?? `RCODE${code}`,
    isAuthoritative: packet.flag_aa,
    isTruncated: packet.flag_tc,
    cameByTcp: false,
    answers: recordsOf(packet.answers),
    authorities: recordsOf(packet.authorities),
  };
}

/**
 * Reads a message by which a server says that it could not read the query: it may be the header alone, without the question (RFC 6891 §7).
 * @returns null if it is no such message, or has another id
 */
export function readFormatError({ id }: Query, bytes: Buffer): Reply | null {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== id) return null;
  const flags = bytes.readUInt16BE(2);
  const isOurs = (flags & 0x8000) !== 0 && (flags & 15) === FORMERR && bytes.readUInt16BE(4) === 0;
  if (!isOurs) return null;
  const nothing = { isAuthoritative: false, isTruncated: false, cameByTcp: false, answers: [], authorities: [] };
  return { status: "FORMERR", ...nothing };
}

const recordsOf = (all: readonly Answer[] = []) => all.filter((each): each is DnsRecord => each.type !== "OPT");

/** A name in lower case, without the final dot. */
export const plainName = (name: string): string => name.replace(/\.$/, "").toLowerCase();

/**
 * A name that a stranger chose, in the form of {@link plainName}, with "?" for each character that is not printable ASCII or that JSON escapes. Labels may
 * have any byte (RFC 2181 §11): Postgres holds no NUL, others control terminals, and escapes make JSON six times as long. No name of a host has "?".
 */
export const shownName = (name: string): string => plainName(name.replaceAll(/[^!#-[\]-~]/gu, "?"));

/**
 * Whether a name can be asked for (RFC 1035 §2.3.4): labels of 1 to 63 bytes, and 255 bytes with their lengths. A stranger may give a name with dots or bytes
 * within a label, which dns-packet reads as text and writes as something else.
 */
export function isAskable(name: string): boolean {
  const plain = plainName(name);
  if (plain === "") return true;
  const lengths = plain.split(".").map((label) => Buffer.byteLength(label));
  return lengths.every((length) => length >= 1 && length <= 63) && Buffer.byteLength(plain) + 2 <= 255;
}

const isSameName = (one: string, other: string): boolean => plainName(one) === plainName(other);

/** The records of this name and type among others. Records of other names, which nobody asked for, are left out. */
export const recordsAt = (records: readonly DnsRecord[], name: string, type: RecordType): DnsRecord[] =>
  records.filter((record) => record.type === type && isSameName(record.name, name));
