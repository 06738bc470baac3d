// POST …/import with quick_scan: issue "DNS hosting II" §4.
import dgram from "node:dgram";
import net from "node:net";
import type { Answer, RecordType } from "dns-packet";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { PublicDns } from "../../../src/adapters/resolver/public-dns.ts";
import { QuickScans } from "../../../src/services/dns/quick-scan/quick-scan.ts";
import { SCAN_NAMES } from "../../../src/services/dns/quick-scan/scan-names.ts";
import { issueKey } from "../../../src/services/dns/store.ts";
import { DnsWorld, NXDOMAIN, PARENTS, REFUSED, type Says, SERVFAIL } from "../../support/dns-world.ts";
import { expectError, type RestResponse } from "../../support/rest-client.ts";
import { type Customer, DnsStage, NAMESERVERS, type Zone } from "./dns-stage.ts";
import { recordsIn } from "./import-stage.ts";

/** The present provider's server. */
const SERVER = "c.nic.test";
const PROVIDER = PARENTS[SERVER];
/** A second one. */
const [SECOND_SERVER, SECOND] = ["b.nic.test", PARENTS["b.nic.test"]];

let world: DnsWorld;
let stage: DnsStage;
let customer: Customer;
let zone: Zone;
/** What the provider has: by name and type. */
let records: Map<string, Answer[]>;

beforeAll(async () => {
  world = await DnsWorld.start();
  stage = await DnsStage.open(NAMESERVERS, world.environment);
  customer = await stage.customer({ plan: "business" });
});
afterAll(async () => {
  await stage?.close();
  await world?.close();
});
beforeEach(async () => {
  zone = await customer.zone();
  world.delegate(zone.name, [SERVER]);
  records = new Map();
  world.servers.clear();
  world.servers.set(PROVIDER, ({ name, type }) => provider(name, type));
});

const whole = (name: string) => (name === "@" ? zone.name : `${name}.${zone.name}`);

/** The provider has a record; `*` too. */
function has(name: string, type: RecordType, data: unknown, ttl = 300): void {
  const key = `${whole(name)} ${type}`;
  records.set(key, [...(records.get(key) ?? []), { name: whole(name), type, data, ttl } as Answer]);
}

/** As a name server answers (RFC 1034 §4.3.2), wildcards of one label too. */
function provider(name: string, type: RecordType): Says {
  const owners = [name, `*.${name.slice(name.indexOf(".") + 1)}`, `*.${zone.name}`];
  const exists = (owner: string) =>
    [...records.keys()].some((key) => key.startsWith(`${owner} `) || key.split(" ")[0]?.endsWith(`.${owner}`));
  const owner = owners.find(exists);
  if (owner === undefined) return { aa: true, rcode: NXDOMAIN };
  const at = (wanted: RecordType) =>
    (records.get(`${owner} ${wanted}`) ?? []).map((answer) => ({ ...answer, name }) as Answer);
  const delegation = owner === zone.name ? [] : at("NS");
  if (delegation.length > 0) return { authorities: delegation };
  return { aa: true, answers: [...at("CNAME"), ...at(type)] };
}

const scan = (body: object = {}): Promise<RestResponse> => zone.ask("POST", "/import", { quick_scan: true, ...body });
// biome-ignore lint/suspicious/noExplicitAny: the answer; expectations look into it
async function scanned(body: object = {}): Promise<any> {
  const answer = await scan(body);
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  return answer.body;
}
const codes = (body: { warnings: readonly { code: string }[] }) => body.warnings.map(({ code }) => code);
/** A minute passes. */
const later = () =>
  stage.rows("update dns.zones set scanned_at = scanned_at - interval '1 minute' where id = $1", [zone.body.id]);

describe("finds", () => {
  test("records of all types at common names, and answers as for a file, without lines", async () => {
    has("@", "A", "192.0.2.1");
    has("@", "AAAA", "2001:db8::1");
    has("@", "MX", { preference: 10, exchange: `mail.${zone.name}` });
    has(
      "@",
      "TXT",
      ["v=spf1 -all"].map((text) => Buffer.from(text)),
    );
    has("@", "CAA", { flags: 0, tag: "issue", value: 'ca.example; a="b"' });
    has("www", "CNAME", "host.example.net");
    has(
      "selector1._domainkey",
      "TXT",
      ["a".repeat(255), "b"].map((text) => Buffer.from(text)),
    );
    has("_sip._tcp", "SRV", { priority: 1, weight: 2, port: 5060, target: "sip.example.net" });
    has("m", "PTR", "host.example.net");
    const serial = await zone.serial();
    const body = await scanned();
    expect(body).toEqual({
      imported: 9,
      deleted: 0,
      skipped: 0,
      skipped_records: [],
      warnings: [{ code: "scan_incomplete", message: expect.stringMatching(/never complete/) }],
      serial: serial + 1,
      dry_run: false,
    });
    expect((await recordsIn(zone)).map((each) => each.replaceAll(zone.name, "Z"))).toEqual([
      "_sip._tcp.Z 300 SRV 1 2 5060 sip.example.net",
      "m.Z 300 PTR host.example.net",
      `selector1._domainkey.Z 300 TXT ${"a".repeat(255)}b`,
      "www.Z 300 CNAME host.example.net",
      "Z 300 A 192.0.2.1",
      "Z 300 AAAA 2001:db8::1",
      'Z 300 CAA 0 issue "ca.example; a=\\"b\\""',
      "Z 300 MX 10 mail.Z",
      "Z 300 TXT v=spf1 -all",
    ]);
  });

  test("what a wildcard answers as one record, and leaves it out elsewhere", async () => {
    has("*", "A", "192.0.2.66");
    has("*", "TXT", [Buffer.from("any")]);
    has("@", "A", "192.0.2.66");
    has("www", "A", "192.0.2.1");
    has("api", "A", "192.0.2.66");
    const body = await scanned();
    expect(codes(body)).toEqual(["scan_incomplete", "scan_wildcard"]);
    expect((await recordsIn(zone)).map((each) => each.replaceAll(zone.name, "Z"))).toEqual([
      "*.Z 300 A 192.0.2.66",
      "*.Z 300 TXT any",
      "www.Z 300 A 192.0.2.1",
      "Z 300 A 192.0.2.66",
    ]);
  });

  test("a wildcard of CNAME, and one below a name", async () => {
    has("*", "CNAME", "all.example.net");
    has("*._domainkey", "TXT", [Buffer.from("v=DKIM1; p=")]);
    has("google._domainkey", "TXT", [Buffer.from("v=DKIM1; p=abc")]);
    await scanned();
    expect((await recordsIn(zone)).map((each) => each.replaceAll(zone.name, "Z"))).toEqual([
      "*._domainkey.Z 300 TXT v=DKIM1; p=",
      "*.Z 300 CNAME all.example.net",
      "google._domainkey.Z 300 TXT v=DKIM1; p=abc",
    ]);
  });

  test("delegations, but not the SOA and NS records of the apex", async () => {
    has("@", "NS", SERVER);
    has("@", "SOA", { mname: SERVER, rname: "x.example", serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 });
    has("dev", "NS", "ns1.example.net");
    has("dev", "NS", "ns2.example.net");
    const before = world.asked(`NS ${zone.name}`);
    expect(await scanned()).toMatchObject({ imported: 2, skipped: 0 });
    // The resolver alone.
    expect(world.asked(`NS ${zone.name}`)).toBe(before + 1);
    expect((await recordsIn(zone)).map((each) => each.replaceAll(zone.name, "Z"))).toEqual([
      "dev.Z 300 NS ns1.example.net",
      "dev.Z 300 NS ns2.example.net",
    ]);
  });

  test("what is judged as records of a file are: skipped with the reason, or with the nearest TTL", async () => {
    has("@", "A", "192.0.2.1", 5);
    has("www", "A", "192.0.2.1");
    await zone.add({ name: "www", type: "A", content: "192.0.2.1" });
    const body = await scanned();
    expect(body).toMatchObject({ imported: 0, skipped: 2 });
    expect(body.skipped_records).toEqual([
      { line: null, name: zone.name, type: "A", reason: "validation", detail: expect.stringMatching(/^ttl /) },
      { line: null, name: `www.${zone.name}`, type: "A", reason: "exists", detail: expect.any(String) },
    ]);
    expect(codes(body)).toEqual(["scan_incomplete", "ttl_out_of_range"]);
    await later();
    expect(await scanned({ clamp_ttl: true })).toMatchObject({ imported: 1, skipped: 1 });
  });

  test("nothing more than a dry run says", async () => {
    has("www", "A", "192.0.2.1");
    const dry = await scanned({ dry_run: true });
    expect(dry).toMatchObject({ imported: 1, dry_run: true });
    expect(await zone.records()).toEqual([]);
    await later();
    expect(await scanned()).toEqual({ ...dry, dry_run: false });
  });

  test("from the second server what the first does not answer", async () => {
    world.delegate(zone.name, [SECOND_SERVER, SERVER]);
    has("www", "A", "192.0.2.1");
    for (const says of [
      { rcode: SERVFAIL },
      { rcode: REFUSED },
      { authorities: [{ name: "test", type: "NS", data: "a.nic.test" }] },
    ] as const) {
      world.servers.set(SECOND, () => says as Says);
      await later();
      expect(codes(await scanned())).toEqual(["scan_incomplete"]);
    }
    expect(await zone.records()).toHaveLength(1);
  });

  test("with GraphQL too", async () => {
    has("www", "A", "192.0.2.1");
    const { data } = await customer.graphql(
      "mutation ($id: ID!) { importDnsZone(input: {zoneId: $id, quickScan: true}) { imported warnings { code } skippedRecords { line } } }",
      { id: String(zone.body.id) },
    );
    expect(data?.importDnsZone).toEqual({ imported: 1, warnings: [{ code: "scan_incomplete" }], skippedRecords: [] });
  });
});

describe("says what it could not ask", () => {
  const incomplete = expect.objectContaining({ code: "scan_incomplete" });
  test.each([
    ["no delegation", () => world.delegate(zone.name, null)],
    ["a silent resolver", () => world.resolved.set(zone.name, "silent")],
    ["a server without an address", () => world.delegate(zone.name, ["nowhere.test"])],
    [
      "a server inside a network",
      () => {
        world.addresses.set("inside.test", ["10.0.0.1", "169.254.169.254", "::ffff:10.0.0.1"]);
        world.delegate(zone.name, ["inside.test"]);
      },
    ],
  ])("%s: nothing is imported", async (_, make) => {
    make();
    const body = await scanned();
    expect(body).toMatchObject({
      imported: 0,
      serial: await zone.serial(),
      warnings: [incomplete, { code: "scan_no_servers" }],
    });
  });

  test("questions without an answer, some by name", async () => {
    has("www", "A", "192.0.2.1");
    world.servers.set(PROVIDER, ({ name, type }) =>
      type === "TXT" && name === whole("www") ? { rcode: SERVFAIL } : provider(name, type),
    );
    const body = await scanned();
    expect(body).toMatchObject({
      imported: 1,
      warnings: [
        incomplete,
        {
          code: "scan_unanswered",
          message: `1 questions were not answered within the time of the scan, such as ${whole("www")} TXT.`,
        },
      ],
    });
  });
});

describe("a server that a stranger names", () => {
  test.each(["127.0.0.1", "127.0.0.3", "169.254.169.254", "10.0.0.1", "::1", "::ffff:127.0.0.3", "0.0.0.0"])(
    "at %s gets no packet",
    async (address) => {
      world.addresses.set("inside.test", [address]);
      world.delegate(zone.name, ["inside.test"]);
      // Wherever it is asked, at port 53 or at another: each packet to loopback arrives in one of these, and each to elsewhere is a socket that is opened.
      const sent = vi.spyOn(dgram.Socket.prototype, "connect");
      const sockets = vi.spyOn(net.Socket.prototype, "connect");
      world.questions.length = 0;
      const publicDns = new PublicDns({ resolvers: [world.resolver], queryMs: 200 });
      const { records: found, warnings } = await new QuickScans(publicDns).scan(zone.name, "one");
      expect([found, warnings.map(({ code }) => code)]).toEqual(["[]", ["scan_incomplete", "scan_no_servers"]]);
      expect(new Set(world.questions.map((question) => question.replace(/^127\.0\.0\.1 (NS|A|AAAA) /, "")))).toEqual(
        new Set([zone.name, "inside.test"]),
      );
      // Only the resolver was connected to.
      const ports = sent.mock.calls.map(([port]) => port);
      expect([ports.filter((port) => port !== world.port), sockets.mock.calls]).toEqual([[], []]);
      expect(ports.length).toBeGreaterThan(0);
      vi.restoreAllMocks();
    },
  );
});

describe("is bounded", () => {
  test("once a minute for a zone: 429 with Retry-After, and other zones are scanned", async () => {
    await scanned();
    const again = await scan();
    expectError(again, 429, "rate_limited");
    const wait = Number(again.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(30);
    expect(wait).toBeLessThanOrEqual(60);
    expectError(await scan({ dry_run: true }), 429, "rate_limited");
    const other = await customer.zone();
    expect((await other.ask("POST", "/import", { quick_scan: true })).status).toBe(200);
    await later();
    await scanned();
  });

  test("two at once: one is 429", async () => {
    const answers = await Promise.all([scan(), scan()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429]);
  });

  test("the same Idempotency-Key repeats the answer, and nobody is asked again", async () => {
    has("www", "A", "192.0.2.1");
    const ask = () => zone.ask("POST", "/import", { quick_scan: true }, { key: `scan-${zone.name}` });
    const first = await ask();
    const before = world.questions.length;
    const second = await ask();
    expect([second.status, second.body, second.headers.get("idempotent-replayed")]).toEqual([200, first.body, "true"]);
    expect(world.questions).toHaveLength(before);
  });

  test("not with replace: 422, and nobody is asked", async () => {
    const before = world.questions.length;
    expectError(await scan({ replace: true }), 422, "invalid_request", ["replace"]);
    expect(world.questions).toHaveLength(before);
    // It did not count as a scan.
    await scanned();
  });

  test("ten seconds in all, for a server that never answers in time", async () => {
    world.servers.set(PROVIDER, () => null);
    const publicDns = new PublicDns({
      resolvers: [world.resolver],
      loopbackPort: world.port,
      taskMs: 300,
      queryMs: 100,
    });
    const began = performance.now();
    const { warnings, records: found } = await new QuickScans(publicDns).scan(zone.name, "one");
    expect(performance.now() - began).toBeLessThan(3_000);
    expect([found, warnings.map(({ code }) => code)]).toEqual(["[]", ["scan_incomplete", "scan_unanswered"]]);
  });

  test("a server that answers with thousands of records: a hundred of each set, a thousand together", async () => {
    let made = 0;
    world.servers.set(PROVIDER, ({ name, type, overTcp }) => {
      if (type !== "A" && type !== "AAAA") return { aa: true };
      const answers = Array.from(
        { length: 300 },
        () =>
          ({
            name,
            type,
            ttl: 300,
            data:
              type === "A" ? `10.${++made >> 16}.${(made >> 8) & 255}.${made & 255}` : `fd00::${(++made).toString(16)}`,
          }) as Answer,
      );
      return { aa: true, answers, truncated: !overTcp };
    });
    const body = await scanned();
    expect(body.warnings).toEqual(expect.arrayContaining([expect.objectContaining({ code: "scan_cut" })]));
    expect(body.imported).toBeLessThanOrEqual(1_000);
    const sets = Map.groupBy(await zone.records(), ({ name, type }) => `${name} ${type}`);
    for (const [, set] of sets) expect(set.length).toBeLessThanOrEqual(100);
  });

  test.each<[string, () => Says]>([
    [
      "answers for other names",
      () => ({ aa: true, answers: [{ name: "bank.example", type: "A", data: "192.0.2.66" }] }),
    ],
    [
      "a CNAME to itself",
      () => ({ aa: true, answers: [{ name: whole("www"), type: "CNAME", data: whole("www"), ttl: 300 }] }),
    ],
    ["bytes that are no message", () => Buffer.alloc(600, 0xff)],
    [
      "texts with NUL",
      () => ({
        aa: true,
        answers: [{ name: whole("www"), type: "CAA", data: { flags: 0, tag: "issue", value: "a\0b" }, ttl: 300 }],
      }),
    ],
  ])("a server that sends %s", async (_, says) => {
    world.servers.set(PROVIDER, ({ name }) => (name === whole("www") ? says() : { aa: true, rcode: NXDOMAIN }));
    const publicDns = new PublicDns({ resolvers: [world.resolver], loopbackPort: world.port, queryMs: 100 });
    const { records: found } = await new QuickScans(publicDns).scan(zone.name, "one");
    expect(found === "[]" || JSON.parse(found).every(([, name]: [null, string]) => name === whole("www"))).toBe(true);
    expect((await scan()).status).toBe(200);
    expect((await zone.records()).filter(({ name }) => name !== whole("www"))).toEqual([]);
  });
});

test("a stranger's zone is 404, and a key without zone:write 403: nobody is asked", async () => {
  const stranger = await stage.customer();
  const before = world.questions.length;
  expectError(await stranger.ask("POST", `/zones/${zone.body.id}/import`, { quick_scan: true }), 404, "not_found");
  const token = await customer.key(["zone:read", "record:read", "record:write"]);
  expectError(await zone.ask("POST", "/import", { quick_scan: true }, { token }), 403, "missing_scope");
  expect(world.questions).toHaveLength(before);
  await scanned();
});

test("a key that is narrowed to TXT records of _acme-challenge, or to another zone, is 403, and nobody is asked", async () => {
  const other = await customer.zone();
  const before = world.questions.length;
  for (const narrowing of [{ acmeOnly: true }, { acmeOnly: true, zones: [zone.body.id] }, { zones: [other.body.id] }]) {
    const { secret: token } = await issueKey(stage.selo.operator, customer.organization.id, "narrow", null, narrowing);
    for (const dry_run of [false, true])
      expectError(await zone.ask("POST", "/import", { quick_scan: true, dry_run }, { token }), 403, "forbidden");
  }
  expect(world.questions).toHaveLength(before);
  // It did not count as a scan.
  await scanned();
});

test("a zone that is deleted while it is scanned: 404, and nothing is written", async () => {
  has("www", "A", "192.0.2.1");
  let deleted: Promise<RestResponse> | null = null;
  world.servers.set(PROVIDER, async ({ name, type }) => {
    deleted ??= zone.ask("DELETE");
    await deleted;
    return provider(name, type);
  });
  expectError(await scan(), 404, "not_found");
  expect((await (deleted as RestResponse | Promise<RestResponse> | null))?.status).toBe(204);
  expect(await stage.rows("select 1 from dns.records where zone_id = $1", [zone.body.id])).toEqual([]);
});

test("records that are written while a zone is scanned stay, and are not written twice", async () => {
  has("www", "A", "192.0.2.1");
  let added: Promise<unknown> | null = null;
  world.servers.set(PROVIDER, async ({ name, type }) => {
    added ??= zone.add({ name: "www", type: "A", content: "192.0.2.1" });
    await added;
    return provider(name, type);
  });
  expect((await scanned()).skipped_records).toMatchObject([{ name: whole("www"), reason: "exists" }]);
  expect(await zone.records()).toHaveLength(1);
});

test("the plan's limit of records holds: what has no room is skipped", async () => {
  const free = await stage.customer({ plan: "free" });
  const small = await free.zone();
  world.delegate(small.name, [SERVER]);
  await small.ask("POST", "/import", {
    bind_file: Array.from({ length: 499 }, (_, place) => `x${place} 300 IN A 192.0.2.1`).join("\n"),
  });
  world.servers.set(PROVIDER, ({ name, type }) =>
    type === "A" && /^(www|api)\./.test(name)
      ? { aa: true, answers: [{ name, type, data: "192.0.2.1", ttl: 300 }] }
      : { aa: true },
  );
  const { body } = await small.ask("POST", "/import", { quick_scan: true });
  expect(body).toMatchObject({ imported: 1, skipped: 1, skipped_records: [{ line: null, reason: "limit" }] });
});

test("there are some sixty common names, each once", () => {
  expect(new Set(SCAN_NAMES).size).toBe(SCAN_NAMES.length);
  expect(SCAN_NAMES.length).toBeGreaterThanOrEqual(55);
  expect(SCAN_NAMES.length).toBeLessThanOrEqual(75);
});
