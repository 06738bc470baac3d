// What a quick scan makes of a wildcard that answers differently each time, as a load balancer does: issue "DNS hosting II" §4.
import type { Answer, RecordType } from "dns-packet";
import { describe, expect, test } from "vitest";
import { type Asked, NXDOMAIN, type Says } from "../../../support/dns-world.ts";
import { codes, setUpScans, stage, text } from "./scan-stage.ts";

setUpScans();

const ROTATES = ["scan_incomplete", "scan_wildcard", "scan_wildcard_rotates"];

/**
 * The wildcard has the next of these answers for each question.
 * @param next the data of one answer, by the number of the question
 */
function rotates(type: RecordType, next: (turn: number) => readonly unknown[], wildcard = "*") {
  stage.has(wildcard, type, next(0)[0]);
  let turn = 0;
  const server = ({ name, type: asked }: Pick<Asked, "name" | "type">): Says => {
    const says = stage.provider(name, asked);
    const isMade = name.endsWith(stage.whole(wildcard).slice(1)) && stage.ownerOf(name) === stage.whole(wildcard);
    if (!isMade || (asked !== type && type !== "CNAME")) return says;
    return { aa: true, answers: next(turn++).map((data) => ({ name, type, data, ttl: 300 }) as Answer) };
  };
  stage.answers(server);
  return server;
}
const inTurn = (turn: number) => [`192.0.2.${1 + (turn % 3)}`];
/** Other records at each question, however many are asked. */
const always = (turn: number) => [`198.51.${100 + (turn >> 8)}.${turn & 255}`];

describe("becomes one set of *", () => {
  test.each<[RecordType, (turn: number) => readonly unknown[], readonly string[]]>([
    ["A", inTurn, ["192.0.2.1", "192.0.2.2", "192.0.2.3"]],
    ["AAAA", (turn) => [`2001:db8::${1 + (turn % 2)}`], ["2001:db8::1", "2001:db8::2"]],
  ])("of all addresses that were seen: %s", async (type, next, seen) => {
    rotates(type, next);
    const body = await stage.scanned();
    expect(await stage.found()).toEqual(seen.map((address) => `*.Z 300 ${type} ${address}`));
    expect(codes(body)).toEqual(ROTATES);
    expect(body.warnings[2].message).toBe(
      `The domain answers differently each time for names that do not exist: *.${stage.zone.name} ${type}. The records of "*" are those that were seen, and the wildcard may have more. Names whose answers look like those of the wildcard were left out, so their own records may be missing. Compare these types with those at the present provider.`,
    );
  });

  test.each<[RecordType, (turn: number) => readonly unknown[], RegExp]>([
    ["TXT", (turn) => [text(`v=spf1 exists:${turn}.example -all`)], /^\*\.Z 300 TXT v=spf1 exists:\d+\.example -all$/],
    ["MX", (turn) => [{ preference: 10, exchange: `mx${turn}.example.net` }], /^\*\.Z 300 MX 10 mx\d+\.example\.net$/],
    ["CNAME", (turn) => [`pool${turn}.example.net`], /^\*\.Z 300 CNAME pool\d+\.example\.net$/],
  ])("of the first answer, where two answers are no set: %s", async (type, next, expected) => {
    rotates(type, next);
    expect(codes(await stage.scanned())).toEqual(ROTATES);
    expect(await stage.found()).toEqual([expect.stringMatching(expected)]);
  });

  test("of a hundred records, and no more", async () => {
    rotates("A", (turn) =>
      [0, 64, 128].flatMap((more) =>
        Array.from({ length: 10 }, (_, at) => `10.${turn >> 8}.${turn & 255}.${more + at}`),
      ),
    );
    await stage.scanned();
    const found = await stage.found();
    expect(found.filter((each) => each.startsWith("*.Z 300 A 10."))).toHaveLength(100);
    expect(found).toHaveLength(100);
  });

  test("even if it changes only after the first random names were asked", async () => {
    // The pool changes after all random names were asked: names that are asked later have another address.
    rotates("A", (turn) => [turn < 30 ? "192.0.2.1" : "192.0.2.2"]);
    expect(codes(await stage.scanned())).toEqual(ROTATES);
    expect(await stage.found()).toEqual(["*.Z 300 A 192.0.2.1", "*.Z 300 A 192.0.2.2"]);
  });

  test("of its type alone: a wildcard of two types may rotate in one, or lack it at times", async () => {
    stage.has("*", "TXT", text("any"));
    rotates("A", (turn) => (turn % 2 === 0 ? [] : always(turn)));
    stage.has("api", "A", "192.0.2.1");
    stage.has("api", "TXT", text("own"));
    expect(codes(await stage.scanned())).toEqual(ROTATES);
    const found = await stage.found();
    expect(found.filter((each) => !each.startsWith("*.Z 300 A "))).toEqual([
      "*.Z 300 TXT any",
      "api.Z 300 A 192.0.2.1",
      "api.Z 300 TXT own",
    ]);
    expect(found.length).toBeGreaterThan(3);
  });

  test("below a name as well", async () => {
    rotates("TXT", (turn) => [text(`v=DKIM1; p=${turn}`)], "*._domainkey");
    stage.has("google._domainkey", "TXT", text("v=DKIM1; p=abc"));
    const body = await stage.scanned();
    expect(await stage.found()).toEqual([
      expect.stringMatching(/^\*\._domainkey\.Z 300 TXT v=DKIM1; p=\d+$/),
      "google._domainkey.Z 300 TXT v=DKIM1; p=abc",
    ]);
    expect(body.warnings[2].message).toContain(`*._domainkey.${stage.zone.name} TXT.`);
  });
});

test("a wildcard of CNAME to a load balancer is one CNAME, whatever addresses come with it", async () => {
  stage.has("*", "CNAME", `pool.${stage.zone.name}`);
  stage.has("pool", "A", "192.0.2.1");
  let turn = 0;
  stage.answers(({ name, type }) => {
    const says = stage.provider(name, type);
    if (stage.ownerOf(name) !== stage.whole("*") || says === null || !("answers" in says)) return says;
    const more = inTurn(turn++).map((data): Answer => ({ name: stage.whole("pool"), type: "A", data, ttl: 60 }));
    return { ...says, answers: [...(says.answers ?? []), ...more] };
  });
  stage.has("www", "CNAME", "www.example.net");
  expect(codes(await stage.scanned())).toEqual(["scan_incomplete", "scan_wildcard"]);
  expect(await stage.found()).toEqual(["*.Z 300 CNAME pool.Z", "www.Z 300 CNAME www.example.net"]);
});

describe("a name beside it", () => {
  /** The records that are not of the wildcard. */
  const own = async () => (await stage.found()).filter((each) => !each.startsWith("*."));

  test("is kept whole if it has a type that the wildcard lacks, lacks one that it always has, or differs in one that is steady", async () => {
    stage.has("*", "TXT", text("any"));
    // Nothing below these names tells that they exist.
    const server = rotates("A", always);
    stage.answers((asked) => server(isBelowName(asked.name) ? { ...asked, name: stage.whole("random") } : asked));
    stage.has("mail", "A", "192.0.2.1");
    stage.has("mail", "TXT", text("any"));
    stage.has("mail", "MX", { preference: 5, exchange: "mx.example.net" });
    stage.has("api", "A", "192.0.2.2");
    stage.has("app", "A", "192.0.2.3");
    stage.has("app", "TXT", text("own"));
    stage.has("dev", "TXT", text("any"));
    stage.has("www", "CNAME", "www.example.net");
    stage.has("shop", "NS", "ns.example.net");
    expect(codes(await stage.scanned())).toEqual(ROTATES);
    expect(await own()).toEqual([
      "api.Z 300 A 192.0.2.2",
      "app.Z 300 A 192.0.2.3",
      "app.Z 300 TXT own",
      "dev.Z 300 TXT any",
      "mail.Z 300 A 192.0.2.1",
      "mail.Z 300 MX 5 mx.example.net",
      "mail.Z 300 TXT any",
      "shop.Z 300 NS ns.example.net",
      "www.Z 300 CNAME www.example.net",
    ]);
  });

  test("is kept if the wildcard makes nothing below it (RFC 4592 §2.2.1), even with an address of the pool", async () => {
    rotates("A", inTurn);
    stage.has("www", "A", "192.0.2.1");
    stage.has("mail", "A", "203.0.113.9");
    stage.has("@", "A", "203.0.113.1");
    expect(codes(await stage.scanned())).toEqual(ROTATES);
    expect(await own()).toEqual(["mail.Z 300 A 203.0.113.9", "www.Z 300 A 192.0.2.1", "Z 300 A 203.0.113.1"]);
  });

  test("that exists and rotates itself is kept with what was seen", async () => {
    const server = rotates("A", always);
    stage.has("www", "A", "192.0.2.1");
    let turn = 0;
    stage.answers((asked) =>
      asked.name === stage.whole("www") && asked.type === "A"
        ? { aa: true, answers: [{ name: asked.name, type: "A", data: `192.0.2.${++turn}`, ttl: 60 }] }
        : server(asked),
    );
    await stage.scanned();
    expect(await own()).toEqual(["www.Z 60 A 192.0.2.1"]);
  });

  /** Below names such as www, where a scan has no names of its own, too. */
  const isBelowName = (name: string) => /^[^_.][^.]*\.[^_.]+$/.test(stage.relative(name));

  test.each<[string, (asked: Asked) => Says | "as others"]>([
    ["answers for names below those that exist", () => "as others"],
    ["answers for names of one label alone", () => ({ aa: true, rcode: NXDOMAIN })],
    ["does not answer for deeper names", () => ({ rcode: 2 })],
  ])("is left out where it cannot be told: the provider %s", async (_, deeper) => {
    const server = rotates("A", always);
    stage.answers((asked) => {
      if (!isBelowName(asked.name)) return server(asked);
      const says = deeper(asked);
      if (says !== "as others") return says;
      const made = server({ ...asked, name: stage.whole("random") }) as { answers?: readonly Answer[] };
      return { ...made, answers: (made.answers ?? []).map((each) => ({ ...each, name: asked.name }) as Answer) };
    });
    stage.has("www", "A", "192.0.2.1");
    stage.has("mail", "A", "203.0.113.9");
    stage.has("mail", "MX", { preference: 5, exchange: "mx.example.net" });
    expect(codes(await stage.scanned())).toEqual(expect.arrayContaining(ROTATES));
    expect(await own()).toEqual(["mail.Z 300 A 203.0.113.9", "mail.Z 300 MX 5 mx.example.net"]);
  });
});
