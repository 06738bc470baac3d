// Servers that strangers name are asked within bounds: issue "DNS hosting II" §4.
import dgram from "node:dgram";
import net from "node:net";
import type { Answer } from "dns-packet";
import { describe, expect, test, vi } from "vitest";
import { PublicDns } from "../../../../src/adapters/resolver/public-dns.ts";
import { QuickScans } from "../../../../src/services/dns/quick-scan/quick-scan.ts";
import { SCAN_NAMES } from "../../../../src/services/dns/quick-scan/scan-names.ts";
import { NXDOMAIN, type Says } from "../../../support/dns-world.ts";
import { setUpScans, stage } from "./scan-stage.ts";

setUpScans();

describe("a server that a stranger names", () => {
  test.each(["127.0.0.1", "127.0.0.3", "169.254.169.254", "10.0.0.1", "::1", "::ffff:127.0.0.3", "0.0.0.0"])(
    "at %s gets no packet",
    async (address) => {
      stage.world.addresses.set("inside.test", [address]);
      stage.world.delegate(stage.zone.name, ["inside.test"]);
      // Wherever it is asked, at port 53 or at another: each packet to loopback arrives in one of these, and each to elsewhere is a socket that is opened.
      const sent = vi.spyOn(dgram.Socket.prototype, "connect");
      const sockets = vi.spyOn(net.Socket.prototype, "connect");
      stage.world.questions.length = 0;
      const publicDns = new PublicDns({ resolvers: [stage.world.resolver], queryMs: 200 });
      const { records: found, warnings } = await new QuickScans(publicDns).scan(stage.zone.name, "one");
      expect([found, warnings.map(({ code }) => code)]).toEqual(["[]", ["scan_incomplete", "scan_no_servers"]]);
      expect(
        new Set(stage.world.questions.map((question) => question.replace(/^127\.0\.0\.1 (NS|A|AAAA) /, ""))),
      ).toEqual(new Set([stage.zone.name, "inside.test"]));
      // Only the resolver was connected to.
      const ports = sent.mock.calls.map(([port]) => port);
      expect([ports.filter((port) => port !== stage.world.port), sockets.mock.calls]).toEqual([[], []]);
      expect(ports.length).toBeGreaterThan(0);
      vi.restoreAllMocks();
    },
  );
});

describe("is bounded", () => {
  test("ten seconds in all, for a server that never answers in time", async () => {
    let asked = 0;
    stage.answers(() => {
      asked += 1;
      return null;
    });
    const publicDns = new PublicDns({
      resolvers: [stage.world.resolver],
      loopbackPort: stage.world.port,
      taskMs: 300,
      queryMs: 100,
    });
    const { warnings, records: found } = await new QuickScans(publicDns).scan(stage.zone.name, "one");
    // Twenty at once for three times as long as one waits. Without an end it would be each name with each type.
    expect(asked).toBeLessThan(2 * SCAN_NAMES.length);
    expect([found, warnings.map(({ code }) => code)]).toEqual(["[]", ["scan_incomplete", "scan_unanswered"]]);
  });

  test("a server that answers with thousands of records: a hundred of each set, a thousand together", async () => {
    let made = 0;
    stage.answers(({ name, type, overTcp }) => {
      // Random names have nothing. Otherwise it would be a wildcard that rotates.
      if (!SCAN_NAMES.includes(stage.relative(name))) return { aa: true, rcode: NXDOMAIN };
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
    const body = await stage.scanned();
    expect(body.warnings).toEqual(expect.arrayContaining([expect.objectContaining({ code: "scan_cut" })]));
    expect(body.imported + body.skipped).toBe(1_000);
    const sets = Map.groupBy(await stage.zone.records(), ({ name, type }) => `${name} ${type}`);
    for (const [, set] of sets) expect(set.length).toBeLessThanOrEqual(100);
  });

  test("twenty questions at once, and one for each random name of a domain without a wildcard", async () => {
    let open = 0;
    let most = 0;
    const questions = new Map<string, number>();
    stage.answers(async ({ name }) => {
      most = Math.max(most, ++open);
      // Questions that are sent at the same time arrive before the first is answered.
      await new Promise((done) => setTimeout(done, 20));
      open -= 1;
      questions.set(name, (questions.get(name) ?? 0) + 1);
      return { aa: true, rcode: NXDOMAIN };
    });
    await stage.scanned();
    expect(most).toBeLessThanOrEqual(20);
    const random = [...questions].filter(([name]) => !SCAN_NAMES.includes(stage.relative(name)));
    // Three below the zone, and below _tcp, _tls, _bimi, _domainkey and www.
    expect(random.map(([, asked]) => asked)).toEqual(Array.from({ length: 18 }, () => 1));
  });

  test.each<[string, () => Says, only?: string]>([
    [
      "answers for other names",
      () => ({ aa: true, answers: [{ name: "bank.example", type: "A", data: "192.0.2.66" }] }),
    ],
    [
      "a CNAME to itself",
      () => ({ aa: true, answers: [{ name: stage.whole("www"), type: "CNAME", data: stage.whole("www"), ttl: 300 }] }),
    ],
    // To one question: a request waits for two seconds for each answer.
    ["bytes that are no message", () => Buffer.alloc(600, 0xff), "A"],
    [
      "texts with NUL",
      () => ({
        aa: true,
        answers: [{ name: stage.whole("www"), type: "CAA", data: { flags: 0, tag: "issue", value: "a\0b" }, ttl: 300 }],
      }),
    ],
  ])("a server that sends %s", async (_, says, only) => {
    stage.answers(({ name, type }) => {
      if (name !== stage.whole("www")) return { aa: true, rcode: NXDOMAIN };
      return only === undefined || only === type ? says() : { aa: true };
    });
    const publicDns = new PublicDns({
      resolvers: [stage.world.resolver],
      loopbackPort: stage.world.port,
      queryMs: 100,
    });
    const { records: found } = await new QuickScans(publicDns).scan(stage.zone.name, "one");
    expect(found === "[]" || JSON.parse(found).every(([, name]: [null, string]) => name === stage.whole("www"))).toBe(
      true,
    );
    expect((await stage.scan()).status).toBe(200);
    expect((await stage.zone.records()).filter(({ name }) => name !== stage.whole("www"))).toEqual([]);
  });
});
