// Colours stand in src/web/design/tokens.css and in what is generated from it. Pages, mails, PDF and tools take them from there.
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Generated from the tokens. */
const GENERATED = "src/adapters/generated/design-tokens.ts";

const NAMES = "black|white|gr[ae]y|silver|red|green|blue|teal|navy|orange|yellow|purple|pink|brown|maroon|crimson|gold";
const HEX = /(?<![\w&/?=])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?![\w-])/gi;
const FUNCTION = /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([\d.]/gi;
const DECLARATION = new RegExp(
  `\\b(?:color|background|fill|stroke|border|outline)[a-z-]*:[^;"'{}]*\\b(?:${NAMES})\\b`,
  "gi",
);
const ATTRIBUTE = new RegExp(`\\b(?:fill|stroke|stop-?color|color|bgcolor)=["'](?:${NAMES})["']`, "gi");

/** Colours in the texts of a source: in strings, templates and JSX. Names of private members such as #add are no texts. */
function coloursIn(source: string): string[] {
  const file = ts.createSourceFile("source.tsx", source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node))
      found.push(...[HEX, FUNCTION, DECLARATION, ATTRIBUTE].flatMap((pattern) => node.text.match(pattern) ?? []));
    if (ts.isJsxAttribute(node)) found.push(...(node.getText(file).match(ATTRIBUTE) ?? []));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function sources(): string[] {
  return fs
    .readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file}`)
    .filter((file) => /\.tsx?$/.test(file) && file !== GENERATED)
    .sort();
}

test("sources of pages, mails and PDF name no colour of their own", () => {
  const named = sources().flatMap((file) => {
    const found = coloursIn(fs.readFileSync(path.join(ROOT, file), "utf8"));
    return found.length === 0 ? [] : [[file, [...new Set(found)]] as const];
  });
  expect(Object.fromEntries(named)).toEqual({});
});

test.each([
  ["const a = '#17252a';", ["#17252a"]],
  [`const a = \`<p style="color:#abc">\${1} #ffffff80\`;`, ["#abc", "#ffffff80"]],
  ["const a = 'rgb(0 0 0 / 50%)';", ["rgb(0"]],
  ['const a = `<p style="background: white">`;', ["background: white"]],
  ['const a = <path fill="black" />;', ['fill="black"']],
  ["const a = <p>#b3261e</p>;", ["#b3261e"]],
  // These are no colours.
  ["class A { #add() { return this.#add(); } }", []],
  ["const a = '/docs#add', b = 'Contract #12', c = '&#039;', d = '#main';", []],
  ['const a = <path fill="currentColor" stroke="none" />; // #123456', []],
])("finds colours, and nothing else, in %s", (source, colours) => {
  expect(coloursIn(source)).toEqual(colours);
});
