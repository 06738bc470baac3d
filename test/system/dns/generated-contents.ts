// Contents of records, right ones and slightly broken ones, the same for the same seed.
import fc from "fast-check";

export interface Generated {
  readonly type: string;
  readonly content: string;
  readonly priority: number | null;
}

const letters = [..."abcxyzABC0159"];
const label = fc
  .tuple(fc.constantFrom(...letters), fc.string({ unit: fc.constantFrom(...letters, "-"), maxLength: 8 }))
  .map(([first, more]) => `${first}${more}`.replace(/-+$/, ""));
const hostname = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 4 }), fc.constantFrom("example", "test", "Example.NET", "com."))
  .map(([labels, last]) => [...labels, last].join("."));
const underscored = fc.oneof(
  hostname,
  hostname.map((host) => `_srv._tcp.${host}`),
);
/** Some vendors have underscores in names of hosts, though not at their beginning. */
const vendorHost = fc.oneof(
  hostname,
  hostname.map((host) => `srv._tcp.${host}`),
);
const number = (most: number) => fc.integer({ min: 0, max: most });
const words = [..."abc XYZ019.-_;()@$é世😀\\\"'"];
const text = fc
  .string({ unit: fc.constantFrom(...words), minLength: 1, maxLength: 300 })
  // A quotation mark at the beginning begins a quoted string.
  .map((each) => each.replace(/^"/, "x"));
const quoted = fc
  .array(
    fc.string({
      unit: fc.constantFrom("a", "Z", " ", ";", "é", '\\"', "\\\\", "\\065", "\\255", "\\a"),
      maxLength: 90,
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((strings) => strings.map((each) => `"${each}"`).join(" "));

const ipv6 = fc.oneof(
  fc.ipV6(),
  fc.ipV6().map((address) => address.toUpperCase()),
  fc
    .array(fc.constantFrom("0", "0", "0", "00", "1", "0db8", "ffff", "FFFF", "a0"), { minLength: 8, maxLength: 8 })
    .map((groups) => groups.join(":")),
);

const RIGHT: Readonly<Record<string, fc.Arbitrary<string>>> = {
  A: fc.ipV4(),
  AAAA: ipv6,
  CNAME: underscored,
  NS: hostname,
  PTR: hostname,
  MX: hostname,
  SRV: fc.tuple(number(65_535), number(65_535), vendorHost).map((parts) => parts.join(" ")),
  CAA: fc
    .tuple(number(255), fc.constantFrom("issue", "issuewild", "IODEF", "contactemail"), hostname, fc.boolean())
    .map(([flags, tag, value, isQuoted]) => `${flags} ${tag} ${isQuoted ? `"${value}; a=b"` : value}`),
  TXT: fc.oneof(text, quoted),
};

/** A place, what is done there, and with which character. */
const slip = fc.tuple(
  fc.nat(),
  fc.constantFrom("insert", "insert", "remove", "replace", "double"),
  fc.constantFrom(...'.-_ ":\\*/@;0129azé'),
);

function broken(content: string, [where, what, character]: [number, string, string]): string {
  const place = where % (content.length + 1);
  const [before, at, after] = [content.slice(0, place), content.slice(place, place + 1), content.slice(place + 1)];
  if (what === "insert") return before + character + at + after;
  if (what === "remove") return before + after;
  return before + (what === "double" ? at + at : character) + after;
}

/** Addresses alone, in many spellings. */
export const generatedAddresses = (type: "A" | "AAAA", seed: number, count: number): readonly string[] =>
  fc.sample(RIGHT[type] ?? fc.constant(""), { seed, numRuns: count });

/** Hosts alone. */
export const generatedHosts = (seed: number, count: number): readonly string[] =>
  fc.sample(hostname, { seed, numRuns: count });

/** Contents of all types but ALIAS, which only the service knows: every second one is slightly broken. */
export function generatedContents(seed: number, count: number): readonly Generated[] {
  const types = Object.entries(RIGHT).map(([type, contents]) => fc.tuple(fc.constant(type), contents));
  const samples = fc.sample(fc.tuple(fc.oneof(...types), slip), { seed, numRuns: count });
  return samples.map(([[type, content], slipped], place) => ({
    type,
    // A surrogate that lost its other half is no text.
    content: (place % 2 === 0 ? content : broken(content, slipped)).toWellFormed(),
    priority: ["MX", "SRV"].includes(type) ? place % 65_536 : null,
  }));
}
