import dgram from "node:dgram";
import type { AddressInfo } from "node:net";
import ipaddr from "ipaddr.js";

const QUERY = { 1: "A", 28: "AAAA" } as const;
export type AddressQuery = (typeof QUERY)[keyof typeof QUERY];

/** Addresses, a response code (3: NXDOMAIN, 2: SERVFAIL), or no answer at all. `asked` counts the queries of this name and kind, from 1. */
export type DnsAnswering = (kind: AddressQuery, asked: number) => readonly string[] | number | null;

/** A name server on a loopback UDP port (RFC 1035); of names it does not know it says NXDOMAIN. */
export interface DnsServer {
  /** As node:dns takes it. */
  readonly address: string;
  readonly names: Map<string, DnsAnswering>;
  /** Every query, as "A hook.example.com". */
  readonly queries: readonly string[];
  close(): Promise<void>;
}

export async function startDnsServer(): Promise<DnsServer> {
  const socket = dgram.createSocket("udp4");
  const names = new Map<string, DnsAnswering>();
  const queries: string[] = [];
  socket.on("message", (message, { address, port }) => {
    const { name, type, end } = questionOf(message);
    const kind = QUERY[type as keyof typeof QUERY] ?? null;
    const query = `${kind ?? type} ${name}`;
    queries.push(query);
    const answering = names.get(name) ?? (() => 3);
    const answer = kind === null ? [] : answering(kind, queries.filter((each) => each === query).length);
    if (answer !== null) socket.send(answerTo(message, end, type, answer), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    names,
    queries,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let place = 12;
  for (let length = message.readUInt8(place); length > 0; length = message.readUInt8(place)) {
    labels.push(message.toString("latin1", place + 1, place + 1 + length));
    place += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(place + 1), end: place + 5 };
}

/** With a TTL of 0: what is asked next may be answered differently. */
function answerTo(message: Buffer, end: number, type: number, answer: readonly string[] | number): Buffer {
  const addresses = typeof answer === "number" ? [] : answer;
  const header = Buffer.alloc(12);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (typeof answer === "number" ? answer : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((text) => {
    const data = Buffer.from(ipaddr.parse(text).toByteArray());
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, message.subarray(12, end), ...records]);
}
