// Colours and sizes stand in src/web/design/tokens.css and in what is generated from it. Pages, mails, PDF and tools take them from there.
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { light } from "../../src/adapters/generated/design-tokens.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Generated from the tokens. */
const GENERATED = "src/adapters/generated/design-tokens.ts";

const NAMES = "black|white|gr[ae]y|silver|red|green|blue|teal|navy|orange|yellow|purple|pink|brown|maroon|crimson|gold";
const HEX = /(?<![\w&/?=])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?![\w-])/gi;
// A template ends where a value is put in.
const FUNCTION = /\b(?:(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\((?:[\d.]|$)|color-mix\()/gi;
const DECLARATION = new RegExp(
  `\\b(?:color|background|fill|stroke|border|outline)[a-z-]*:[^;"'{}]*\\b(?:${NAMES})\\b`,
  "gi",
);
const ATTRIBUTE = new RegExp(`\\b(?:fill|stroke|stop-?color|color|bgcolor)=["'](?:${NAMES})["']`, "gi");

const NAME = new RegExp(`^(?:${NAMES})$`, "i");
/** Members, attributes and functions that take a colour. */
const TAKES_COLOUR = /colou?r$|^(?:fill|stroke|background|border|outline)/i;

/** What a value is given to: an attribute, a member, or a function. */
function takerOf(node: ts.Node): string {
  const { parent } = node;
  if (ts.isConditionalExpression(parent) || ts.isJsxExpression(parent) || ts.isBinaryExpression(parent))
    return takerOf(parent);
  if (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent))
    return parent.name.getText();
  if (!ts.isCallExpression(parent) || parent.expression === node) return "";
  return ts.isPropertyAccessExpression(parent.expression) ? parent.expression.name.text : parent.expression.getText();
}

/** Colours in a source: in strings, templates and JSX, and as numbers. Names of private members such as #add are no texts. */
function coloursIn(source: string): string[] {
  const file = ts.createSourceFile("source.tsx", source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node))
      found.push(...[HEX, FUNCTION, DECLARATION, ATTRIBUTE].flatMap((pattern) => node.text.match(pattern) ?? []));
    if (ts.isStringLiteralLike(node) && NAME.test(node.text) && !ts.isJsxAttribute(node.parent))
      found.push(...(TAKES_COLOUR.test(takerOf(node)) ? [node.text] : []));
    // Red, green and blue, as libraries for PDF take them.
    if (ts.isArrayLiteralExpression(node) && node.elements.length >= 3 && node.elements.every(ts.isNumericLiteral))
      found.push(...(TAKES_COLOUR.test(takerOf(node)) ? [node.getText()] : []));
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
  ['const a = <path fill={isOn ? "black" : "none"} />;', ["black"]],
  ['const a = { color: "white", backgroundColor: "red" };', ["white", "red"]],
  ['pdf.fillColor("red").fill("black");', ["red", "black"]],
  ["pdf.fillColor([179, 22, 31]);", ["[179, 22, 31]"]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a program as text
  ["const a = `color:rgb(${red} 0 0)`;", ["rgb("]],
  ["const a = 'color-mix(in srgb, var(--ink), transparent)';", ["color-mix("]],
  // These are no colours.
  ["class A { #add() { return this.#add(); } }", []],
  ["const a = '/docs#add', b = 'Contract #12', c = '&#039;', d = '#main';", []],
  ['const a = <path fill="currentColor" stroke="none" />; // #123456', []],
  ['const a = { name: "gold" }, b = [1, 2, 3], c = f("red");', []],
])("finds colours, and nothing else, in %s", (source, colours) => {
  expect(coloursIn(source)).toEqual(colours);
});

/** Documents of pages and drawings know no custom properties while they stand alone. */
const DRAWN = fs
  .readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .map((file) => `src/${file}`)
  .filter((file) => /\.(?:html|svg)$/.test(file));

test("documents and drawings have the colours of tokens alone, and no styles of their own", () => {
  expect(DRAWN).toEqual(expect.arrayContaining(["src/web/page.html", "src/web/design/mark.svg"]));
  for (const file of DRAWN) {
    const text = fs.readFileSync(path.join(ROOT, file), "utf8");
    const strange = (text.match(HEX) ?? []).filter((colour) => !Object.values<string>(light).includes(colour));
    const others = [FUNCTION, DECLARATION, ATTRIBUTE, / style=|<style/g].flatMap((each) => text.match(each) ?? []);
    expect([file, ...strange, ...others]).toEqual([file]);
  }
});

/** Lines of one to three pixels are not a matter of taste, and `em` follows the text it stands in. */
const SIZE = /(?<![\w.#-])-?(?!-?[0-3]px)(?:\d*\.)?\d+(?:px|rem|pt|mm|cm|vw|vh)\b/g;
/** The mark stands seven pixels below the line of a mail's text; a width at which GraphiQL changes, as in stylelint.config.js. */
const SIZES_KNOWN: Readonly<Record<string, readonly string[]>> = {
  "src/services/platform/mails/layout.ts": ["-7px"],
  "src/surfaces/graphql/graphiql-page.ts": ["40rem"],
};

function sizesIn(source: string): string[] {
  const file = ts.createSourceFile("source.tsx", source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) found.push(...(node.text.match(SIZE) ?? []));
    // The policy would not apply it, and sizes of it would stand nowhere else.
    if (ts.isJsxAttribute(node) && node.name.getText() === "style") found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test("sources of pages, mails and tools name no size of their own", () => {
  const named = sources().flatMap((file) => {
    const found = sizesIn(fs.readFileSync(path.join(ROOT, file), "utf8"));
    return found.length === 0 ? [] : [[file, [...new Set(found)]] as const];
  });
  expect(Object.fromEntries(named)).toEqual(SIZES_KNOWN);
});

test.each([
  ["const a = 'padding:7px 1.5rem';", ["7px", "1.5rem"]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a program as text
  ["const a = `font:${weight} 15px Arial;margin:-12px`;", ["15px", "-12px"]],
  ["const a = <p style={{ width: 3 }} />;", ["style={{ width: 3 }}"]],
  // These are no sizes, or follow from others.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a program as text
  ["const a = `border:1px solid;height:${side}px;line-height:1.4em`; // 17px", []],
])("finds sizes, and nothing else, in %s", (source, sizes) => {
  expect(sizesIn(source)).toEqual(sizes);
});
