// Random zone files with all that RFC 1035 §5.1 and RFC 2308 §4 allow. Some cannot be read.
import fc from "fast-check";

export const ZONE = "example.test";
/** What BIND wants of every zone. */
export const HEAD = `@ 3600 IN SOA ns1.example.net. host.example.net. 1 2 3 4 300\n@ NS ns1.example.net.\n`;

const blank = fc.constantFrom(" ", " ", "\t", "  ", " \t ");
const label = fc.constantFrom("a", "b", "WWW", "in", "mx", "300", "_x", "long-label-of-a-name", "a1");
const name = fc.oneof(
  { weight: 4, arbitrary: label },
  fc.tuple(label, label).map((labels) => labels.join(".")),
  label.map((each) => `*.${each}`),
  fc.constant("@"),
  label.map((each) => `${each}.${ZONE}.`),
  fc.constant(`${ZONE}.`),
);
const owner = fc.oneof(
  { weight: 5, arbitrary: name },
  { weight: 2, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constant("out.example.net.") },
);
const host = fc.oneof(
  name.filter((each) => !each.startsWith("*")),
  fc.constantFrom("x.example.net.", "."),
);
const number = fc.integer({ min: 0, max: 65_535 });
const time = fc.constantFrom("60", "0", "3600", "1h", "1H30M", "2d", "1w2d3h4m5s", "90s");

const piece = fc.constantFrom(
  "a",
  "b c",
  "\\;",
  '\\"',
  "\\\\",
  "\\065",
  "\\200",
  "\\000",
  "\\x",
  "v=spf1",
  "\\195\\163",
  "é",
  "=",
  "@",
  "$",
);
const quoted = fc
  .array(fc.oneof(piece, fc.constantFrom(";", "(", ")", " ", "\t")), { maxLength: 6 })
  .map((parts) => `"${parts.join("")}"`);
const bare = fc
  .array(
    piece.filter((each) => each !== "b c"),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(""));
const long = fc.integer({ min: 200, max: 255 }).map((length) => `"${"x".repeat(length)}"`);

const data = fc.oneof(
  fc.tuple(number, number).map(([a, b]) => ["A", `10.${a >> 8}.${a & 255}.${b & 255}`]),
  number.map((last) => ["AAAA", `2001:db8::${Math.max(1, last).toString(16)}`]),
  host.filter((each) => each !== ".").map((each) => ["PTR", each]),
  fc.tuple(number, host).map(([priority, each]) => ["MX", String(priority), each]),
  fc.tuple(number, number, number, host).map(([a, b, c, each]) => ["SRV", String(a), String(b), String(c), each]),
  fc
    .tuple(fc.constantFrom("0", "128"), fc.constantFrom('"ca.test"', "ca.test", '";"', '"a\\"b"', "\\;"))
    .map(([flags, value]) => ["CAA", flags, "issue", value]),
  {
    weight: 4,
    arbitrary: fc
      .array(fc.oneof(quoted, bare, long), { minLength: 1, maxLength: 4 })
      .map((strings) => ["TXT", ...strings]),
  },
);

/** TTL and class in any order. */
const middle = fc.tuple(fc.option(time), fc.constantFrom("", "IN", "in"), fc.boolean()).map(([ttl, kind, isFirst]) => {
  const words = [ttl ?? "", kind];
  return (isFirst ? words : words.reverse()).filter((word) => word !== "");
});

const comment = fc.constantFrom("", "", ";", "; (", '; "', " ;x\\");
/** Words with blanks between them, or in parentheses over several lines. */
const joined = (words: readonly string[]) =>
  fc
    .tuple(
      fc.array(blank, { minLength: words.length, maxLength: words.length }),
      fc.integer({ min: 0, max: 3 }),
      comment,
      fc.nat(words.length),
    )
    .map(([blanks, form, said, place]) => {
      const text = (from: number, to?: number) =>
        words
          .slice(from, to)
          .map((word, at) => `${blanks[from + at]}${word}`)
          .join("");
      if (form > 0) return text(0);
      return `${text(0, place)} (${said && `${said}`}\n${text(place)}${said && ` ${said}`}\n )`;
    });

const record = fc
  .tuple(owner, middle, data, comment)
  .chain(([first, between, words, said]) =>
    joined([...between, ...words]).map((rest) => `${first}${rest}${said && ` ${said}`}`),
  );

const directive = fc.oneof(
  time.map((each) => `$TTL ${each}`),
  fc.constantFrom(`$ORIGIN ${ZONE}.`, `$ORIGIN sub`, `$ORIGIN sub.${ZONE}. ; x`, "$origin\tb.a"),
);
/** Blank lines, and data of a type without a name (RFC 3597 §5). */
const other = fc.constantFrom(
  "a TYPE65280 \\# 3 ABCDEF",
  "",
  "   ",
  "; nothing",
  '\t; nothing ( "',
  "( )",
  "(\n; x\n)",
);

/** What nobody can read. */
const fault = fc.constantFrom(
  "$INCLUDE no-such-file",
  "$BOGUS x",
  "$TTL x",
  "$TTL",
  "$ORIGIN",
  "a CH A 192.0.2.1",
  "a",
  "a IN",
  "a A",
  "a 60",
  "a TXT",
  "a 60 60 A 192.0.2.1",
  "a IN 60 IN A 192.0.2.1",
  "a A 192.0.2.1 )",
  "a A ( 192.0.2.1",
  'a TXT "x',
  'a TXT "x\ny"',
  "a TXT \\256",
  'a TXT "\\999"',
  "a TXT x\\12",
  'a "A" 192.0.2.1',
  "a 60 + 192.0.2.1",
);

const entry = fc.oneof(
  { weight: 12, arbitrary: record },
  { weight: 2, arbitrary: directive },
  { weight: 2, arbitrary: other },
);

const file = fc
  .record({
    preset: fc.option(time),
    entries: fc.array(entry, { minLength: 1, maxLength: 25 }),
    broken: fc.option(fc.tuple(fault, fc.nat(25)), { freq: 3 }),
    lineEnd: fc.constantFrom("\n", "\n", "\r\n"),
    isEnded: fc.boolean(),
  })
  .map(({ preset, entries, broken, lineEnd, isEnded }) => {
    const lines = [...entries];
    // An option is null in one of so many cases.
    if (broken !== null && broken[1] < 10) lines.splice(broken[1], 0, broken[0]);
    const text = `${preset === null ? "" : `$TTL ${preset}\n`}${HEAD}${lines.join("\n")}${isEnded || lines.at(-1)?.startsWith("$") ? "\n" : ""}`;
    return text.replaceAll("\n", lineEnd);
  });

/** The same files for the same seed. */
export const randomFiles = (seed: number, count: number): readonly string[] =>
  fc.sample(file, { seed, numRuns: count });
