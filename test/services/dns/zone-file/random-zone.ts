// Random zones with all types and awkward contents, in the forms in which SQL keeps records.
import fc from "fast-check";
import type { ZoneToWrite } from "../../../../src/services/dns/zone-file/write-zone-file.ts";
import type { ZoneRecord } from "../../../../src/services/dns/zone-file/zone-record.ts";

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const underscored = fc.oneof(
  { weight: 4, arbitrary: label },
  label.map((each) => `_${each}`),
);
const host = fc.tuple(label, label, fc.constantFrom("test", "com", "xn--p1ai")).map((labels) => labels.join("."));
/** Hosts of the zone too, which a writer may shorten. */
const hostNear = (zone: string) =>
  fc.oneof(
    host,
    label.map((each) => `${each}.${zone}`),
    fc.constant(zone),
  );
const octet = fc.integer({ min: 0, max: 255 });

const awkward = fc.oneof(
  fc.constantFrom(
    '"',
    "\\",
    ";",
    "\\\\",
    '\\"',
    "(",
    ")",
    " ",
    "@",
    "$",
    "\\000",
    "🎈",
    "ã",
    "\u2028",
    "\ufeff",
    "\u00a0",
    "‮",
    "v=spf1 -all",
    "'",
  ),
  fc.string({ unit: "binary", maxLength: 4 }).filter((each) => !/\p{Cc}/u.test(each)),
);
/** No control characters, as SQL has it. */
const words = (maxLength: number) => fc.array(awkward, { minLength: 1, maxLength }).map((parts) => parts.join(""));
const quotedText = fc
  .array(
    fc.oneof(
      awkward.map((each) => each.replaceAll(/["\\]/g, "\\$&")),
      octet.map((byte) => `\\${String(byte).padStart(3, "0")}`),
    ),
    { maxLength: 12 },
  )
  .map((parts) => `"${parts.join("")}"`);
const spaces = fc.constantFrom(" ", " ", "  ");
const text = fc.oneof(
  { weight: 8, arbitrary: words(30).filter((each) => !/^($|")/.test(each)) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.array(quotedText, { minLength: 1, maxLength: 5 }), spaces)
      .map(([strings, space]) => strings.join(space)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "a".repeat(255),
      "a".repeat(256),
      `"${"a".repeat(255)}"`,
      `"${"a".repeat(255)}" "a"`,
      "ã".repeat(128),
      " ",
      '""',
      '"" ""',
      '"a"  "b" ',
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 16_000, max: 16_384 }).map((length) => "x".repeat(length)) },
);
const caaValue = fc
  .array(fc.constantFrom("a", ".", ";", " ", "=", '\\"', "\\\\", "@", "("), { maxLength: 20 })
  .map((parts) => parts.join(""));

/** The content and priority of each type. */
const dataOf = (zone: string): fc.Arbitrary<Pick<ZoneRecord, "type" | "content" | "priority">> => {
  const number = fc.integer({ min: 0, max: 65_535 });
  const of = (type: string, content: fc.Arbitrary<string>, priority: fc.Arbitrary<number | null> = fc.constant(null)) =>
    fc.record({ type: fc.constant(type), content, priority });
  return fc.oneof(
    of(
      "A",
      fc.tuple(octet, octet, octet, octet).map((parts) => parts.join(".")),
    ),
    of(
      "AAAA",
      fc.integer({ min: 1, max: 65_535 }).map((last) => `2001:db8::${last.toString(16)}`),
    ),
    of("ALIAS", hostNear(zone)),
    of(
      "CAA",
      fc
        .tuple(octet, fc.constantFrom("issue", "issuewild", "iodef"), caaValue)
        .map(([flags, tag, value]) => `${flags} ${tag} "${value}"`),
    ),
    of("CNAME", hostNear(zone)),
    of("MX", hostNear(zone), number),
    of("MX", fc.constant("."), fc.constant(0)),
    of("NS", hostNear(zone)),
    of("PTR", hostNear(zone)),
    of(
      "SRV",
      fc.tuple(number, number, fc.oneof(hostNear(zone), fc.constant("."))).map((parts) => parts.join(" ")),
      number,
    ),
    { weight: 4, arbitrary: of("TXT", text) },
  );
};

/** A zone of at most so many records. With sound names, its records go together, as SQL has it. */
const zoneOf = (maxLength: number): fc.Arbitrary<ZoneToWrite> =>
  fc
    .tuple(label, fc.constantFrom("test", "example.com", "xn--p1ai"))
    .map((labels) => labels.join("."))
    .chain((name) => {
      const owner = fc.oneof(
        fc.constantFrom("", "*", "in", "a", "3600", "_dmarc", "*.w"),
        fc.array(underscored, { minLength: 1, maxLength: 3 }).map((labels) => labels.join(".")),
      );
      const record = fc.record({
        name: owner.map((each) => (each === "" ? name : `${each}.${name}`)),
        data: dataOf(name),
        ttl: fc.integer({ min: 60, max: 86_400 }),
        disabled: fc.boolean(),
        comment: fc.option(words(6), { freq: 3 }),
      });
      return fc.record({
        name: fc.constant(name),
        serial: fc.integer({ min: 1, max: 0xffff_ffff }),
        apex: fc.constant([
          { type: "SOA", content: `ns1.selo.test hostmaster.selo.test 1 10800 3600 604800 300`, ttl: 3_600 },
          { type: "NS", content: "ns1.selo.test", ttl: 3_600 },
          { type: "NS", content: "ns2.selo.test", ttl: 3_600 },
        ]),
        records: fc
          .array(record, { maxLength })
          .map((records) => records.map(({ data, ...others }) => ({ ...others, ...data }))),
      });
    });

/** The same zones for the same seed. */
export const randomZones = (seed: number, count: number, most = 30): readonly ZoneToWrite[] =>
  fc.sample(zoneOf(most), { seed, numRuns: count });
