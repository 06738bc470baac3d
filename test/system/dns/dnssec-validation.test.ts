// What the nameserver signs, judged by others: unbound, delv, dnssec-dsfromkey. Issue "DNS hosting II" §3, §8.
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ZoneBody } from "../../services/dns/dns-stage.ts";
import type { DnssecBody, KeyBody } from "../../services/dns/dnssec-stage.ts";
import { DnsDeployment } from "./dns-deployment.ts";
import { addRecords, nameOf, PROBES, plainZone, wrongAnswer } from "./probes.ts";
import { dig, SignedTree } from "./signed-tree.ts";

const NAME = "signed.example";

let deployment: DnsDeployment;
let tree: SignedTree;
let zone: ZoneBody;
let first: KeyBody;
beforeAll(async () => {
  deployment = await DnsDeployment.open();
  zone = await deployment.zone(NAME);
  await addRecords(deployment, zone);
  tree = await SignedTree.open({ [NAME]: deployment.nameserver }, plainZone(NAME));
}, 400_000);
afterAll(async () => {
  await tree?.close();
  await deployment?.close();
}, 400_000);

const ask = async (method: string, path = "", body?: object): Promise<DnssecBody> =>
  (await deployment.change(method, `/zones/${zone.id}/dnssec${path}`, body)).body;
const served = (type: string, ...options: string[]) => dig(deployment.nameserver, NAME, type, ...options);
const dsOf = (keys: readonly KeyBody[]) => keys.flatMap(({ ds_records }) => ds_records).toSorted();

test("before it is signed, everything is answered, and nothing validated", async () => {
  for (const probe of PROBES) expect(await wrongAnswer(tree, probe, NAME, false)).toBeNull();
});

test("enabled: DNSKEY and signatures are there at the first question", async () => {
  await served("DNSKEY");
  const { keys } = await ask("POST");
  expect(await served("DNSKEY")).toEqual(keys.map(({ dnskey }) => dnskey));
  expect(await served("SOA", "+dnssec")).toContainEqual(expect.stringMatching(new RegExp(`^SOA 13 2 .* ${NAME}\\. `)));
  first = keys[0] as KeyBody;
});

test("without a DS record at the parent, everything is answered, and nothing validated", async () => {
  for (const probe of PROBES) expect(await wrongAnswer(tree, probe, NAME, false)).toBeNull();
});

test("dnssec-dsfromkey makes the same DS records of the served key", async () => {
  const [dnskey = ""] = await served("DNSKEY");
  const line = `${NAME}. 3600 IN DNSKEY ${dnskey}\n`;
  const made = execFileSync("dnssec-dsfromkey", ["-a", "SHA-256", "-a", "SHA-384", "-f", "-", NAME], {
    input: line,
    encoding: "utf8",
  });
  expect(
    made
      .trim()
      .split("\n")
      .map((each) => each.replace(/^.* IN DS /, "")),
  ).toEqual(first.ds_records);
});

test("CDS and CDNSKEY say the same", async () => {
  expect(await served("CDS")).toEqual(dsOf([first]));
  expect(await served("CDNSKEY")).toEqual([first.dnskey]);
});

describe("with its DS record at the parent", () => {
  beforeAll(async () => {
    await tree.publish(NAME, [first.ds_records[0] ?? ""]);
    await tree.caughtUp();
  });

  test.each(PROBES)("unbound validates: $kind", async (probe) => {
    expect(await wrongAnswer(tree, probe, NAME, true)).toBeNull();
  });

  test.each(PROBES)("delv agrees: $kind", async (probe) => {
    const isNegative = probe.answers === 0;
    const expected = `${isNegative ? "negative response, " : ""}${probe.isSigned ? "fully validated" : "unsigned answer"}`;
    expect(await tree.delv(nameOf(probe, NAME), probe.type)).toBe(expected);
  });

  test("the SHA-384 record alone is enough, too", async () => {
    await tree.publish(NAME, [first.ds_records[1] ?? ""]);
    await tree.caughtUp();
    for (const probe of PROBES) expect(await wrongAnswer(tree, probe, NAME, true)).toBeNull();
  });

  test("records that are written while it is signed validate at once: names with and without records, wildcards, delegations", async () => {
    const one = (name: string, type: string, content: string) => ({ name, type, ttl: 60, records: [{ content }] });
    await deployment.change("PUT", `/zones/${zone.id}/records`, {
      sets: [
        one("new", "A", "192.0.2.3"),
        one("x.y.new", "TXT", "x"),
        one("*.star", "A", "192.0.2.4"),
        one("cut.alone", "NS", "ns.example.net"),
      ],
    });
    for (const [name, type, status, answers] of [
      ["new", "A", "NOERROR", 1],
      ["y.new", "A", "NOERROR", 0],
      ["some.star", "A", "NOERROR", 1],
      ["alone", "A", "NOERROR", 0],
      ["cut.alone", "DS", "NOERROR", 0],
    ] as const) {
      const verdict = await tree.ask(`${name}.${NAME}`, type);
      expect({ name, ...verdict }).toMatchObject({ name, status, isSecure: true });
      expect(verdict.answers).toHaveLength(answers);
    }
  });

  test("nobody can walk the zone: a denial covers one hash, and names no name", async () => {
    const answer = await dig(
      deployment.nameserver,
      `nothing.${NAME}`,
      "A",
      "+noshort",
      "+dnssec",
      "+noall",
      "+authority",
    );
    const denials = answer.filter((line) => /\sIN\s+NSEC3\s/.test(line));
    expect(denials.length).toBeGreaterThan(0);
    for (const line of denials) {
      const [, owner = "", next = ""] = /^(\S+)\.signed\.example\.\s.*NSEC3 1 0 0 - (\S+)/i.exec(line) ?? [];
      // Base 32: from the hash, or the one before, to the next or the one after.
      const distance = hashOf(next) - hashOf(owner);
      expect(distance > 0n && distance <= 2n).toBe(true);
    }
    expect(answer.some((line) => /\sIN\s+NSEC\s/.test(line))).toBe(false);
  });

  test("in a rotation both keys sign, and CDS has both", async () => {
    const { keys } = await ask("POST", "/rotate");
    expect(await served("DNSKEY")).toEqual(keys.map(({ dnskey }) => dnskey).toSorted());
    expect(await served("CDS")).toEqual(dsOf(keys));
    const signatures = (await served("SOA", "+dnssec")).filter((line) => line.startsWith("SOA 13 "));
    expect(signatures.map((line) => Number(line.split(" ")[6])).toSorted()).toEqual(
      keys.map(({ ds_records }) => Number(ds_records[0]?.split(" ")[0])).toSorted(),
    );
    for (const probe of PROBES) expect(await wrongAnswer(tree, probe, NAME, true)).toBeNull();
  });
}, 400_000);

/** A hash in base 32 with the extended alphabet (RFC 4648 §7) as a number. */
const hashOf = (text: string): bigint =>
  [...text.toUpperCase()].reduce(
    (sum, digit) => sum * 32n + BigInt("0123456789ABCDEFGHIJKLMNOPQRSTUV".indexOf(digit)),
    0n,
  );
