// What no reader of zone files can read, each with its place; and hostile files, which are read or refused in linear time.
import { describe, expect, test } from "vitest";
import { parseZoneFile } from "../../../../src/services/dns/zone-file/parse-zone-file.ts";
import { placed, ZoneFileError } from "../../../../src/services/dns/zone-file/zone-file-error.ts";
import { byLane } from "../../../support/lane.ts";

const ZONE = "example.test";
const A = "A 192.0.2.1";

/** What is wrong with a file, with the places. */
function faultsOf(file: string): readonly string[] {
  try {
    for (const _ of parseZoneFile(file, ZONE));
    return [];
  } catch (error) {
    if (error instanceof ZoneFileError) return placed(error);
    throw error;
  }
}

/** The first fault; null for a file that can be read. */
const faultOf = (file: string) => faultsOf(file)[0] ?? null;

test.each([
  ["$INCLUDE other.zone", "line 1, column 1: $INCLUDE is not read"],
  [`\n$generate 1-9 a$ ${A}`, "line 2, column 1: $generate is not read"],
  ["$DATE", "line 1, column 1: $DATE is not read"],
  ["$", "line 1, column 1: $ is not read"],
  [`a ${A}\n$ORIGIN`, "line 2, column 1: $ORIGIN has no value"],
  ["$ORIGIN a b", "line 1, column 11: $ORIGIN has one value"],
  ["$TTL ; 60", "line 1, column 1: $TTL has no value"],
  ["$TTL 60 60", "line 1, column 9: $TTL has one value"],
  ["$TTL x", "line 1, column 6: $TTL must be seconds, or a time such as 1h30m"],
  ["$TTL -1", "line 1, column 6: $TTL must be seconds, or a time such as 1h30m"],
  ["$TTL 1y", "line 1, column 6: $TTL must be seconds, or a time such as 1h30m"],
  ["$TTL 4294967296", "line 1, column 6: $TTL must be seconds, or a time such as 1h30m"],
  [`  ${A}`, "line 1, column 3: the first record has no owner"],
  [`$ORIGIN x\n\t${A}`, "line 2, column 2: the first record has no owner"],
  ["a", "line 1, column 1: the record has no type"],
  ["a 60 IN", "line 1, column 6: the record has no type"],
  ["a A", "line 1, column 3: the record has no data"],
  ["a A ; 192.0.2.1", "line 1, column 3: the record has no data"],
  ["a TXT", "line 1, column 3: the record has no data"],
  [`a CH ${A}`, "line 1, column 3: class CH is not read, only IN"],
  [`a 60 hs ${A}`, "line 1, column 6: class hs is not read, only IN"],
  [`a CLASS3 ${A}`, "line 1, column 3: class CLASS3 is not read, only IN"],
  [`a IN CH ${A}`, "line 1, column 6: a type was expected"],
  [`a IN 60 in ${A}`, "line 1, column 9: a type was expected"],
  [`a 60 60 ${A}`, "line 1, column 6: a type was expected"],
  [`a 99999999999 ${A}`, "line 1, column 3: a type was expected"],
  [`a "A" 192.0.2.1`, "line 1, column 3: a type was expected"],
  [`a + ${A}`, "line 1, column 3: a type was expected"],
  [`a ${A} (\nb ${A}\n`, "line 1, column 15: the parenthesis has no end"],
  [`a ( ${A} ( x )`, "line 1, column 3: the parenthesis has no end"],
  [`a ${A} )`, "line 1, column 15: the parenthesis has no beginning"],
  [`a ${A}\n${"(".repeat(101)}`, "line 2, column 101: too many parentheses are open"],
  ['a TXT "a', "line 1, column 7: the quotation mark has no end on this line"],
  ['a TXT "a\nb"', "line 1, column 7: the quotation mark has no end on this line"],
  ['a TXT "a\\"', "line 1, column 7: the quotation mark has no end on this line"],
  ['a TXT "a\\\n"', "line 1, column 7: the quotation mark has no end on this line"],
  ["a TXT a\\", "line 1, column 8: the backslash escapes nothing"],
  ["a TXT \\\nb", "line 1, column 7: the backslash escapes nothing"],
  ["a TXT x \\256", "line 1, column 9: an escape must be \\ and three digits up to 255, or \\ and a character"],
  ['a TXT "\\12"', "line 1, column 7: an escape must be \\ and three digits up to 255, or \\ and a character"],
  ['a TXT "\\1a"', "line 1, column 7: an escape must be \\ and three digits up to 255, or \\ and a character"],
  [
    'a CAA 0 issue "\\999"',
    "line 1, column 15: an escape must be \\ and three digits up to 255, or \\ and a character",
  ],
  [`${"a".repeat(1001)} ${A}`, "line 1, column 1: the name is too long"],
  [`a CNAME ${"a.".repeat(500)}`, null],
  [`a CNAME ${"a.".repeat(501)}`, "line 1, column 9: the name is too long"],
  [`${`$ORIGIN ${"a".repeat(100)}\n`.repeat(10)}`, "line 10, column 9: the name is too long"],
  [`a ${A}\r\n\r\nb A`, "line 3, column 3: the record has no data"],
  ["\ufeffa", "line 1, column 2: the record has no type"],
])("%j: %s", (file, fault) => {
  expect(faultOf(file)).toBe(fault);
});

const DATA = "the bytes after \\# are not data of type";
test.each([
  ["A \\# 4 c00002", "A"],
  ["A \\# 3 c00002", "A"],
  ["A \\# 4 c000020g", "A"],
  ["A \\#", "A"],
  ["TYPE1 \\# x c0000201", "A"],
  ["AAAA \\# 4 c0000201", "AAAA"],
  ["TXT \\# 0", "TXT"],
  ["TXT \\# 2 0261", "TXT"],
  ["NS \\# 2 0161", "NS"],
  ["CNAME \\# 2 c00c", "CNAME"],
  ["PTR \\# 4 01610000", "PTR"],
  ["MX \\# 2 0001", "MX"],
  ["MX \\# 0", "MX"],
  ["SRV \\# 3 000100", "SRV"],
  ["CAA \\# 2 0005", "CAA"],
  ["CAA \\# 3 000120", "CAA"],
])("the bytes of %s are refused", (data, type) => {
  expect(faultsOf(`a ${data}\nb ${A}`)).toEqual([`line 1, column ${data.indexOf("\\#") + 3}: ${DATA} ${type}`]);
});

const QUOTE = "the quotation mark has no end on this line";
test.each<[file: string, faults: readonly string[]]>([
  [
    `$INCLUDE x\na ${A}\nb A\n  CH ${A}\n;selo {\nc TXT "open\nd TXT \\256\n$TTL x\ne ${A} )\nf "A" x\n$ORIGIN\ng TXT a\\`,
    [
      "line 1, column 1: $INCLUDE is not read",
      "line 3, column 3: the record has no data",
      "line 4, column 3: class CH is not read, only IN",
      'line 5, column 1: a line that begins with ";selo" must go on with "record" or with JSON of disabled, comment and content',
      `line 6, column 7: ${QUOTE}`,
      "line 7, column 7: an escape must be \\ and three digits up to 255, or \\ and a character",
      "line 8, column 6: $TTL must be seconds, or a time such as 1h30m",
      "line 9, column 15: the parenthesis has no beginning",
      "line 10, column 3: a type was expected",
      "line 11, column 1: $ORIGIN has no value",
      "line 12, column 8: the backslash escapes nothing",
    ],
  ],
  [
    `a A\n@ SOA a b (\n1 2 ; serial\nb ${A}\nc TXT "x\nd TXT ( "y" )\ne A\n`,
    [
      "line 1, column 3: the record has no data",
      "line 2, column 11: the parenthesis has no end",
      "line 3, column 3: the record has no type",
      `line 5, column 7: ${QUOTE}`,
      "line 7, column 3: the record has no data",
    ],
  ],
  [`a TXT ( "x\n"y" )\nb A`, [`line 1, column 9: ${QUOTE}`, "line 3, column 3: the record has no data"]],
  [`a A (\nb A (\nc A (`, [1, 2, 3].map((line) => `line ${line}, column 5: the parenthesis has no end`)],
  [
    `${"a".repeat(1001)} ${A}\n  A\n`,
    ["line 1, column 1: the name is too long", "line 2, column 3: the record has no data"],
  ],
  [`$${"x".repeat(60_000)} 1`, [`line 1, column 1: $${"x".repeat(39)}… is not read`]],
])("all faults of a file are told at once, each with its line: %j", (file, faults) => {
  expect(faultsOf(file)).toEqual(faults);
});

test("a hundred faults are told, and that there are more", () => {
  const faults = faultsOf("a A\n".repeat(200));
  expect(faults).toHaveLength(101);
  expect(faults.at(-2)).toBe("line 100, column 3: the record has no data");
  expect(faults.at(-1)).toBe("line 101, column 3: the file has more than 100 faults");
  expect(faultsOf("a A\n".repeat(100))).toHaveLength(100);
});

test.each([
  "",
  "{",
  "null",
  "5",
  "[]",
  '"x"',
  '{"disabled":1}',
  '{"comment":null}',
  '{"x":""}',
  '{"comment":"a\\u0000"}',
  '{"content":"\\ud83d"}',
  "Record a A 192.0.2.1",
  "comment x",
])("the line ;selo %s cannot be read", (rest) => {
  expect(faultOf(`a ${A}\n;selo ${rest}\na ${A}`)).toBe(
    'line 2, column 1: a line that begins with ";selo" must go on with "record" or with JSON of disabled, comment and content',
  );
});

/** Enough for a reader in quadratic time to take minutes. */
const HOSTILE_KIB = byLane({ lane: 512, full: 4_096 });

/** What reading a file takes of processor time, in seconds, garbage collection included. */
function secondsFor(file: string): number {
  const begun = process.cpuUsage();
  faultOf(file);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}

describe(`hostile files of ${HOSTILE_KIB} KiB take a few seconds`, () => {
  const whole = (unit: string) => unit.repeat(Math.floor((HOSTILE_KIB * 1024) / unit.length));
  test.each<[what: string, file: () => string]>([
    ["short records", () => `a ${A}\n${whole(" A 1\n")}`],
    ["one word", () => whole("a")],
    ["one line of words", () => whole("a ")],
    ["quotation marks", () => whole('"')],
    ["an open quotation mark", () => `a TXT "${whole("a")}`],
    ["quoted strings without a line end", () => `a TXT ${whole('"" ')}`],
    ["escapes", () => `a TXT ${whole("\\a")}`],
    ["escapes in words that are just not too long", () => whole(`a TXT ${"\\001".repeat(17_000)}\n`)],
    ["backslashes in names that are just not too long", () => whole(`${"\\".repeat(900)}x ${A}\n`)],
    ["backslashes in data", () => whole(`a CNAME ${"\\".repeat(900)}\n`)],
    ["long internationalized names", () => whole(`${"é.".repeat(240)} ${A}\n`)],
    ["open parentheses", () => whole("(")],
    ["open parentheses on lines", () => whole("(\n")],
    ["open parentheses between comments", () => `${"a (\n".repeat(50)}${whole(";x\n")}`],
    ["long comments of one record", () => `a TXT (\n${whole("; x\n")})`],
    ["parentheses that end", () => whole("()")],
    ["closed parentheses", () => whole(")")],
    ["long times", () => whole(`a ${"1".repeat(29)}x ${A}\n`)],
    ["times of many units", () => whole(`a 1s1s1s1s1s1s1s1s1s1s ${A}\n`)],
    ["words that look like times", () => whole(`a A ${"1s".repeat(14)}x\n`)],
    ["origins that grow", () => whole("$ORIGIN a\n")],
    ["long origins", () => `$ORIGIN ${"a.".repeat(490)}\n${whole(`a CNAME b\n`)}`],
    ["comments", () => whole(";\n")],
    ["comments without an end", () => whole(";")],
    ["blanks", () => whole(" ")],
    ["blank lines", () => whole("\n")],
    ["carriage returns", () => whole("\r")],
    ["NUL characters", () => whole("\0")],
    ["lines of Selo", () => whole(";selo {}\n")],
    ["JSON that nests", () => `;selo ${whole("[")}`],
    ["words in parentheses", () => `a TXT (\n${whole("a\n")}`],
  ])(
    "%s",
    (_, file) => {
      // A quadratic reader would take minutes.
      expect(secondsFor(file())).toBeLessThan(8);
    },
    60_000,
  );
});

test.each<[what: string, file: string]>([
  ["characters that are faults, one by one", ")".repeat(15 * 1024 * 1024)],
  [
    "parentheses without an end, each before the rest of the file",
    `${"(\n".repeat(11)}${"a ".repeat(7 * 1024 * 1024)}`,
  ],
])("%s, in the largest file take a few seconds", (_, file) => {
  expect(secondsFor(file)).toBeLessThan(8);
});

test("millions of digits after \\# are refused as bytes that are not data of the type", () => {
  expect(faultOf(`a A \\# 4 ${`${"a".repeat(69_998)} `.repeat(200)}`)).toBe(`line 1, column 5: ${DATA} A`);
});
