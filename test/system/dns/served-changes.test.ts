// What users see of their changes: the nameserver answers with each one, from the first question after the answer of the API on.
import { spawn } from "node:child_process";
import { connect } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { type RecordType, streamDecode } from "dns-packet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordText } from "../../../src/adapters/nameserver/record-text.ts";
import { queryOf } from "../../../src/adapters/resolver/message.ts";
import { byLane } from "../../support/lane.ts";
import { DnsDeployment } from "./dns-deployment.ts";

/** While others ask for what changes. */
const CHANGES = byLane({ lane: 50, full: 300 });

let deployment: DnsDeployment;
beforeAll(async () => {
  deployment = await DnsDeployment.open();
}, 400_000);
afterAll(() => deployment?.close());

describe("from the first question on", () => {
  test("a zone is served, and after its deletion it is not", async () => {
    // The nameserver has learned that it does not serve the name.
    expect(await deployment.dig("life.test", "SOA")).toBe("REFUSED");
    const zone = await deployment.zone("life.test");
    const [one = "", two = ""] = zone.nameservers ?? [];
    expect(await deployment.dig("life.test", "NS")).toEqual([`${one}.`, `${two}.`].sort());
    expect(await deployment.dig("life.test", "SOA")).toEqual([
      expect.stringMatching(new RegExp(`^${one.replaceAll(".", "\\.")}\\. \\S+\\. \\d+ \\d+ \\d+ \\d+ \\d+$`)),
    ]);
    expect(await deployment.dig("www.life.test", "A")).toBe("NXDOMAIN");
    await deployment.record(zone, { name: "www", type: "A", content: "192.0.2.1" });
    expect(await deployment.dig("www.life.test", "A")).toEqual(["192.0.2.1"]);
    await deployment.change("DELETE", `/zones/${zone.id}`);
    expect(await deployment.dig("www.life.test", "A")).toBe("REFUSED");
    expect(await deployment.dig("life.test", "SOA")).toBe("REFUSED");
    // The name is free at once, and the old records do not come back.
    await deployment.zone("life.test");
    expect(await deployment.dig("www.life.test", "A")).toBe("NXDOMAIN");
  });

  test("a record is created, changed, disabled, enabled and deleted, and the serial of the SOA is that of the changes", async () => {
    const zone = await deployment.zone("steps.test");
    const records = `/zones/${zone.id}/records`;
    const expectServed = async (addresses: readonly string[] | string) => {
      expect(await deployment.dig("www.steps.test", "A")).toEqual(addresses);
      const [soa] = (await deployment.question("steps.test", "SOA")).answers;
      const [change] = (await deployment.ask("GET", `/zones/${zone.id}/changes?limit=1`)).body;
      expect(soa).toMatchObject({ type: "SOA", data: { serial: change.serial } });
    };
    expect(await deployment.dig("www.steps.test", "A")).toBe("NXDOMAIN");
    const { id } = await deployment.record(zone, { name: "www", type: "A", content: "192.0.2.1" });
    await expectServed(["192.0.2.1"]);
    const second = await deployment.record(zone, { name: "www", type: "A", content: "192.0.2.2" });
    await expectServed(["192.0.2.1", "192.0.2.2"]);
    await deployment.change("PUT", `${records}/${id}`, { content: "192.0.2.3" });
    await expectServed(["192.0.2.2", "192.0.2.3"]);
    await deployment.change("PUT", `${records}/${id}`, { disabled: true });
    await expectServed(["192.0.2.2"]);
    await deployment.change("DELETE", `${records}/${second.id}`);
    await expectServed("NXDOMAIN");
    await deployment.change("PUT", `${records}/${id}`, { disabled: false });
    await expectServed(["192.0.2.3"]);
    await deployment.change("DELETE", `${records}/${id}`);
    await expectServed("NXDOMAIN");
  });

  test("sets are replaced, an address by a name too, and a file is imported", async () => {
    const zone = await deployment.zone("sets.test");
    const records = `/zones/${zone.id}/records`;
    const set = (type: string, ...contents: string[]) => ({
      name: "www",
      type,
      ttl: 300,
      records: contents.map((content) => ({ content })),
    });
    await deployment.change("PUT", records, { sets: [set("A", "192.0.2.1", "192.0.2.2")] });
    expect(await deployment.dig("www.sets.test", "A")).toEqual(["192.0.2.1", "192.0.2.2"]);
    await deployment.change("PUT", records, { sets: [set("A"), set("CNAME", "host.example.net")] });
    expect(await deployment.dig("www.sets.test", "A")).toEqual(["host.example.net."]);
    const zoneFile = { bind_file: "$TTL 1h\nwww A 192.0.2.9\n@ MX 10 mail\nmail A 192.0.2.8\n", replace: true };
    await deployment.change("POST", `/zones/${zone.id}/import`, zoneFile);
    expect(await deployment.dig("www.sets.test", "A")).toEqual(["192.0.2.9"]);
    expect(await deployment.dig("sets.test", "MX")).toEqual(["10 mail.sets.test."]);
    expect(await deployment.dig("mail.sets.test", "A")).toEqual(["192.0.2.8"]);
  });

  test("a dry run is not flushed, and says no count of nameservers", async () => {
    const zone = await deployment.zone("same.test");
    const records = `/zones/${zone.id}/records`;
    await deployment.record(zone, { name: "www", type: "A", content: "192.0.2.1" });
    const sets = [{ name: "www", type: "A", records: [] }];
    await deployment.change("PUT", records, { sets, dry_run: true }, null);
    expect(await deployment.dig("www.same.test", "A")).toEqual(["192.0.2.1"]);
    await deployment.change("PUT", records, { sets });
    expect(await deployment.dig("www.same.test", "A")).toBe("NXDOMAIN");
  });
});

describe("over UDP and TCP", () => {
  const long = "0123456789".repeat(60);
  const records: readonly object[] = [
    { name: "@", type: "MX", content: "mail.example.net", priority: 10 },
    { name: "@", type: "TXT", content: long },
    { name: "@", type: "CAA", content: '0 issue "ca.example.net"' },
    { name: "quoted", type: "TXT", content: 'a "b" \\ ç' },
    { name: "_sip._tcp", type: "SRV", content: "5 5060 sip.example.net", priority: 1 },
    { name: "*.wild", type: "A", content: "192.0.2.4" },
    { name: "here.wild", type: "AAAA", content: "2001:db8:0::1" },
    { name: "below", type: "NS", content: "ns.below.kinds.test" },
    { name: "ns.below", type: "A", content: "192.0.2.5" },
    ...Array.from({ length: 30 }, (_, n) => ({ name: "many", type: "TXT", content: `${n} ${"x".repeat(200)}` })),
  ];
  beforeAll(async () => {
    const zone = await deployment.zone("kinds.test");
    for (const record of records) await deployment.record(zone, record);
  });

  const text = [255, 255, 90].map((size, at) => `"${long.slice(at * 255, at * 255 + size)}"`).join(" ");
  const cases: readonly (readonly [name: string, type: RecordType, served: readonly string[]])[] = [
    ["kinds.test", "MX", ["10 mail.example.net."]],
    ["kinds.test", "TXT", [text]],
    ["kinds.test", "CAA", ['0 issue "ca.example.net"']],
    ["quoted.kinds.test", "TXT", ['"a \\"b\\" \\\\ \\195\\167"']],
    ["_sip._tcp.kinds.test", "SRV", ["1 5 5060 sip.example.net."]],
    ["a.b.wild.kinds.test", "A", ["192.0.2.4"]],
    ["here.wild.kinds.test", "AAAA", ["2001:db8::1"]],
    // The name exists, so the wildcard does not count for it (RFC 4592, 2.2.1).
    ["here.wild.kinds.test", "A", []],
  ];
  test.each(cases)("%s %s", async (name, type, served) => {
    const answer = await deployment.question(name, type);
    expect(answer).toMatchObject({ status: "NOERROR", isAuthoritative: true, cameByTcp: false });
    expect(answer.answers.map(recordText)).toEqual(served);
    expect(await overTcp(name, type)).toEqual(served);
  });

  test("what is delegated is answered by a referral, with the address of its nameserver", async () => {
    const answer = await deployment.question("www.below.kinds.test", "A");
    expect(answer).toMatchObject({ status: "NOERROR", isAuthoritative: false, answers: [] });
    expect(answer.authorities.map(({ name, type }) => `${name} ${type}`)).toEqual(["below.kinds.test NS"]);
    expect(answer.authorities.map(recordText)).toEqual(["ns.below.kinds.test."]);
    expect(await overTcp("www.below.kinds.test", "A", "additionals")).toEqual(["192.0.2.5"]);
  });

  test("an answer that does not fit into a datagram comes by TCP", async () => {
    const answer = await deployment.question("many.kinds.test", "TXT");
    expect(answer).toMatchObject({ status: "NOERROR", cameByTcp: true });
    expect(answer.answers).toHaveLength(30);
  });
}, 400_000);

/** The records of an answer that is asked for over TCP. */
async function overTcp(name: string, type: RecordType, section: "answers" | "additionals" = "answers") {
  const { bytes } = queryOf({ name, type }, { recursive: false, edns: true });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  const socket = connect(deployment.nameserver);
  socket.setTimeout(5_000, () => socket.destroy(new Error("no answer over TCP")));
  socket.write(Buffer.concat([length, bytes]));
  let received = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, chunk]);
    if (received.length >= 2 && received.length >= received.readUInt16BE() + 2) break;
  }
  return (streamDecode(received)[section] ?? []).flatMap((each) => (each.type === "OPT" ? [] : [recordText(each)]));
}

test(`0 of ${CHANGES} changes are stale, while the same ten names are asked 2,000 times a second`, async () => {
  const zone = await deployment.zone("asked.test");
  const names = Array.from({ length: 10 }, (_, n) => `h${n}.asked.test`);
  const ids = new Map<string, number>();
  const served = new Map<string, string>();
  for (const name of names) {
    ids.set(name, (await deployment.record(zone, { name, type: "A", content: "192.0.2.1" })).id);
    served.set(name, "192.0.2.1");
  }
  const program = path.resolve(import.meta.dirname, "../../support/dns-load.ts");
  const load = spawn(process.execPath, [program, String(deployment.nameserver.port), "2000", ...names], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(load.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const stale: string[] = [];
  const look = async (when: string) => {
    const found = await Promise.all(names.map((name) => deployment.dig(name, "A")));
    names.forEach((name, n) => {
      if (String(found[n]) !== served.get(name)) stale.push(`${name} ${when}: ${found[n]}, not ${served.get(name)}`);
    });
  };
  const took: number[] = [];
  for (let number = 0; number < CHANGES; number++) {
    const name = names[number % names.length] ?? "";
    const content = `10.0.${number >> 8}.${number & 255}`;
    const began = performance.now();
    await deployment.change("PUT", `/zones/${zone.id}/records/${ids.get(name)}`, { content });
    took.push(performance.now() - began);
    served.set(name, content);
    await look("at once");
    // An old answer that came into a cache later would stay there for a minute.
    await sleep(5);
    await look("later");
  }
  load.stdin.end();
  const { rate, answers } = JSON.parse((await lines.next()).value ?? "{}") as { rate: number; answers: number };
  took.sort((one, other) => one - other);
  const at = (part: number) => `${took[Math.floor(took.length * part)]?.toFixed(1)} ms`;
  console.log(`${CHANGES} changes at ${rate} questions/s: p50 ${at(0.5)}, p99 ${at(0.99)}`);
  expect(stale).toEqual([]);
  // Others asked between each change and the next, however fast the machine is.
  expect(answers).toBeGreaterThan(2 * CHANGES);
}, 400_000);
