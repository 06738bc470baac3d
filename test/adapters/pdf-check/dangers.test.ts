import { describe, expect, test } from "vitest";
import { DANGERS } from "../../../src/adapters/pdf-check/verdict.ts";
import { type Objects, ONE_PAGE, objectStream, onePage, packed, pdf, pdfWithStreams, stream } from "./pdf-file.ts";
import { verdictHere, verdictOf } from "./verdict-of.ts";

const READY = "ready: 612x792";
const SCRIPT = "<< /S /JavaScript /JS (app.alert(1)) >>";

/** What hangs where in a document of one page. */
const dangerous: [reason: string, where: string, objects: Objects][] = [
  ["javascript", "when the file is opened", onePage({ catalog: `/OpenAction ${SCRIPT}` })],
  ["javascript", "by reference", onePage({ catalog: "/OpenAction 4 0 R", objects: { 4: SCRIPT } })],
  [
    "javascript",
    "in the names",
    onePage({ catalog: "/Names << /JavaScript << /Names [(a) 4 0 R] >> >>", objects: { 4: SCRIPT } }),
  ],
  ["javascript", "in empty names", onePage({ catalog: "/Names << /JavaScript << /Names [] >> >>" })],
  ["javascript", "an annotation", onePage({ page: `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A ${SCRIPT} >>]` })],
  [
    "javascript",
    "an outline",
    onePage({ catalog: "/Outlines 4 0 R", objects: { 4: `<< /First << /A ${SCRIPT} >> >>` } }),
  ],
  ["javascript", "additional actions", onePage({ catalog: `/AA << /WC ${SCRIPT} >>` })],
  [
    "javascript",
    "after another action",
    onePage({ catalog: `/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next ${SCRIPT} >>` }),
  ],
  [
    "javascript",
    "the script is a stream",
    onePage({ objects: { 4: "<< /JS 5 0 R >>", 5: stream("", "app.alert(1)") } }),
  ],
  [
    "javascript",
    "the kind of the action is a reference",
    onePage({ objects: { 4: "<< /S 5 0 R >>", 5: "/JavaScript" } }),
  ],
  ["javascript", "deep in arrays", onePage({ objects: { 4: `[[[[<< /A [${SCRIPT}] >>]]]]` } })],
  ["javascript", "a rendition", onePage({ objects: { 4: "<< /S /Rendition /JS (a) >>" } })],
  ["javascript", "the dictionary of a stream", onePage({ objects: { 4: stream(`/A ${SCRIPT}`, "") } })],
  ["launch", "an annotation", onePage({ page: "/Annots [<< /Subtype /Link /A << /S /Launch /F (cmd.exe) >> >>]" })],
  ["launch", "a page of an embedded file", onePage({ objects: { 4: "<< /S /GoToE >>" } })],
  ["launch", "a page of another file", onePage({ objects: { 4: "<< /S /GoToR /F (a.pdf) /D [0 /Fit] >>" } })],
  ["launch", "a thread of another file", onePage({ objects: { 4: "<< /S /Thread /F (a.pdf) /D 0 >>" } })],
  [
    "launch",
    "a page of another file is drawn",
    onePage({ objects: { 4: stream("/Ref << /F (a.pdf) /Page 0 >>", "") } }),
  ],
  ["launch", "PostScript", onePage({ objects: { 4: stream("/Type /XObject /Subtype /PS", "quit") } })],
  ["launch", "PostScript in a form", onePage({ objects: { 4: stream("/Subtype /Form /Subtype2 /PS", "quit") } })],
  [
    "launch",
    "the data of a stream in another file",
    onePage({ objects: { 4: stream("/F (\\\\\\\\evil\\\\share)", "") } }),
  ],
  ...[
    "(file:///etc/passwd)",
    "(JavaScript:app.alert\\(1\\))",
    "( java\\nscript:x)",
    "(\\\\\\\\server\\\\share\\\\a.pdf)",
    "(//server/share)",
    "(C:\\\\a.exe)",
    "<66696c653a2f2f>",
    "<feff00660069006c0065003a>",
    "(\\146ile:///a)",
    "(smb://server/share)",
    "(ms-word:ofe|u|http://a)",
    "(com.vendor.app:1//x)",
    `(${" ".repeat(300)}file:///a)`,
    `(${"\\040".repeat(300)}file:///a)`,
    `(${"\\\n".repeat(300)}file:///a)`,
    `<${" ".repeat(300)}66696c653a2f2f>`,
    `(${" ".repeat(9_000)}file:///a)`,
  ].map((address): [string, string, Objects] => [
    "launch",
    `a link to ${address.slice(0, 60)}`,
    onePage({ page: `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI ${address} >> >>]` }),
  ]),
  ["launch", "an address by reference", onePage({ objects: { 4: "<< /S /URI /URI 5 0 R >>", 5: "(file:///a)" } })],
  ["launch", "the base of all addresses", onePage({ catalog: "/URI << /Base (file:///a/) >>" })],
  [
    "embedded_file",
    "a file specification",
    onePage({ objects: { 4: "<< /F (a) /EF << /F 5 0 R >> >>", 5: stream("", "a") } }),
  ],
  ["embedded_file", "the stream of a file", onePage({ objects: { 4: stream("/Type /EmbeddedFile", "a") } })],
  ["embedded_file", "an annotation", onePage({ page: "/Annots [<< /Subtype /FileAttachment >>]" })],
  ["rich_media", "an annotation", onePage({ page: "/Annots [<< /Subtype /RichMedia >>]" })],
  ["rich_media", "a movie", onePage({ page: "/Annots [<< /Subtype /Movie >>]" })],
  ["rich_media", "three dimensions", onePage({ page: "/Annots [<< /Subtype /3D >>]" })],
  [
    "xfa",
    "a form",
    onePage({ catalog: "/AcroForm << /Fields [] /XFA 4 0 R >>", objects: { 4: stream("", "<xdp/>") } }),
  ],
  [
    "xfa",
    "a form in parts",
    onePage({ catalog: "/AcroForm << /XFA [(template) 4 0 R] >>", objects: { 4: stream("", "") } }),
  ],
  [
    "submit_form",
    "a button",
    onePage({ page: "/Annots [<< /Subtype /Widget /A << /S /SubmitForm /F (http://a) >> >>]" }),
  ],
  ["submit_form", "data are fetched", onePage({ objects: { 4: "<< /S /ImportData /F (a) >>" } })],
  ["additional_action", "of a page", onePage({ page: "/AA << /O << /S /URI /URI (http://a) >> >>" })],
  [
    "additional_action",
    "of the catalog, by reference",
    onePage({ catalog: "/AA 4 0 R", objects: { 4: "<< /WC 5 0 R >>", 5: "<< /S /URI >>" } }),
  ],
  ["additional_action", "of a field", onePage({ objects: { 4: "<< /FT /Tx /AA << /K << /S /Hide >> >> >>" } })],
  [
    "additional_action",
    "a link that opens by itself",
    onePage({ catalog: "/OpenAction << /S /URI /URI (http://a) >>" }),
  ],
  [
    "unsealable",
    "the list of pages is a reference, which the sealer's library cannot resolve",
    { ...ONE_PAGE, 2: "<< /Type /Pages /Kids 4 0 R /Count 1 >>", 4: "[3 0 R]" },
  ],
];

/** Names written so that a search for their letters misses them. */
function escaped(syntax: string): string {
  if (syntax.includes("stream\n")) return syntax;
  return syntax.replace(
    /\/(JavaScript|JS|Launch|EF|EmbeddedFile|FileAttachment|GoToE|RichMedia|Movie|3D|XFA|SubmitForm|ImportData|AA|OpenAction|Subtype|S)\b/g,
    (_, name: string) => `/${[...name].map((letter) => `#${letter.charCodeAt(0).toString(16)}`).join("")}`,
  );
}

const mapped = (objects: Objects, change: (syntax: string) => string): Objects =>
  Object.fromEntries(Object.entries(objects).map(([number, syntax]) => [number, change(syntax)]));

const isStream = (syntax: string) => syntax.includes("stream\n");

describe.each(dangerous)("%s: %s", (reason, _, objects) => {
  test("plain", async () => expect(await verdictHere(pdf(objects))).toBe(`quarantined: ${reason}`));

  test("with names in #xx", async () =>
    expect(await verdictHere(pdf(mapped(objects, escaped)))).toBe(`quarantined: ${reason}`));

  test("in an object stream", async () => {
    const entries = Object.entries(objects);
    const streams = Object.fromEntries(entries.filter(([, syntax]) => isStream(syntax)));
    const others = Object.fromEntries(entries.filter(([, syntax]) => !isStream(syntax)));
    expect(await verdictHere(pdfWithStreams(streams, others))).toBe(`quarantined: ${reason}`);
  });
});

test.each(DANGERS.filter((danger) => danger !== "bomb"))(
  "%s is found by the process of the checker",
  async (reason) => {
    const objects = dangerous.find(([danger]) => danger === reason)?.[2] ?? {};
    expect(await verdictOf(pdf(objects))).toBe(`quarantined: ${reason}`);
  },
);

test("each reason but bomb was found above", () => {
  const found = new Set(dangerous.map(([reason]) => reason));
  expect(DANGERS.filter((danger) => danger !== "bomb" && !found.has(danger))).toEqual([]);
});

describe("hidden from the current revision", () => {
  const clean = pdf(ONE_PAGE);
  const wicked = pdf(onePage({ catalog: "/OpenAction 4 0 R", objects: { 4: SCRIPT } }));

  test("an update adds it", async () => {
    const update = pdf({ 1: `<< /Type /Catalog /Pages 2 0 R /OpenAction ${SCRIPT} >>` }, { before: clean });
    expect(await verdictHere(update)).toBe("quarantined: javascript");
  });

  test("an update replaces it, another deletes it: the first revision still has it", async () => {
    const replaced = pdf({ 1: ONE_PAGE[1] ?? "", 4: "null" }, { before: wicked });
    expect(await verdictHere(replaced)).toBe("quarantined: javascript");
    const deleted = pdf({ 1: ONE_PAGE[1] ?? "" }, { before: wicked, deleted: [4] });
    expect(await verdictHere(deleted)).toBe("quarantined: javascript");
  });

  test("no cross-reference names it, but a reader that repairs finds it", async () => {
    const file = pdf(onePage({ objects: { 4: SCRIPT } }), { unnamed: [4] });
    expect(await verdictHere(file)).toBe("quarantined: javascript");
    const inObjectStream = pdf(onePage({ objects: { 4: objectStream({ 9: SCRIPT }) } }), { unnamed: [4] });
    expect(await verdictHere(inObjectStream)).toBe("quarantined: javascript");
  });

  test("inside the data of a stream, where a reader that ignores lengths finds it", async () => {
    const data = `a\nendstream\nendobj\n9 0 obj\n${SCRIPT}\nendobj\n`;
    expect(await verdictHere(pdf(onePage({ objects: { 4: stream("", data) } })))).toBe("quarantined: javascript");
  });

  test("an object stream behind two filters", async () => {
    const { head, body, count } = packed({ 9: SCRIPT });
    const data = `${Buffer.from(head + body, "latin1").toString("hex")}>`;
    const dict = `/Type /ObjStm /N ${count} /First ${head.length} /Filter [/ASCIIHexDecode]`;
    expect(await verdictHere(pdf(onePage({ objects: { 4: stream(dict, data) } })))).toBe("quarantined: javascript");
  });
});

describe("the same words, harmless", () => {
  test.each<[string, Objects]>([
    ["a destination called JavaScript", onePage({ catalog: "/Dests << /JavaScript [3 0 R /Fit] /JS [3 0 R /Fit] >>" })],
    [
      "a font called AA",
      onePage({
        page: "/Resources << /Font << /AA 4 0 R /JS 4 0 R /EF 4 0 R >> >>",
        objects: { 4: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>" },
      }),
    ],
    ["no additional action", onePage({ catalog: "/AA << >>" })],
    ["a title", onePage({ objects: { 4: "<< /Title (/S /JavaScript /JS) >>" } })],
    ["a link", onePage({ page: "/Annots [<< /Subtype /Link /A << /S /URI /URI (https://a) >> >>]" })],
    ...[
      "(HTTP://a)",
      "(mailto:a@example.com?subject=b)",
      "(tel:+55 11 99999-0000)",
      "(www.example.com)",
      "(www.example.com:8080/a)",
      "(#page=2)",
      "(/a/b)",
      "()",
      "<feff00680074007400700073003a002f002f0061>",
      "(\\nhttps://a)",
      `(https://a/${"b".repeat(9_000)})`,
    ].map((address): [string, Objects] => [
      `a link to ${address.slice(0, 60)}`,
      onePage({ page: `/Annots [<< /Subtype /Link /A << /S /URI /URI ${address} >> >>]` }),
    ]),
    ["a link by reference", onePage({ objects: { 4: "<< /S /URI /URI 5 0 R >>", 5: "(https://a)" } })],
    ["an identifier that is no address", onePage({ objects: { 4: "<< /URI (urn:uuid:1) >>" } })],
    ["a thread of the same document", onePage({ objects: { 4: "<< /S /Thread /D 0 >>" } })],
    ["the base of all addresses", onePage({ catalog: "/URI << /Base (https://a/) >>" })],
    ["it opens at a page", onePage({ catalog: "/OpenAction << /S /GoTo /D [3 0 R /Fit] >>" })],
    ["it opens at a page, in short", onePage({ catalog: "/OpenAction [3 0 R /Fit]" })],
    ["a form", onePage({ catalog: "/AcroForm << /Fields [] >>" })],
    ["a comment", onePage({ objects: { 4: "<< >> % /S /JavaScript" } })],
  ])("%s", async (_, objects) => expect(await verdictHere(pdf(objects))).toBe(READY));
});
