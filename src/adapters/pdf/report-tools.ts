/** What the parts of a report are made with. */
import { light } from "../generated/design-tokens.ts";
import type { Block } from "./blocks.ts";
import { drawPaths } from "./draw-paths.ts";
import { PAGE, PT, RIGHT, space, style, sumOf, WIDTH } from "./page-measures.ts";
import { bold, grouped, line, sans } from "./receipt-parts.ts";
import type { Clock, GivenSignature, ReportContent } from "./report-content.ts";
import type { ReportTexts } from "./report-texts.ts";
import type { Structure } from "./structure.ts";
import type { Laid, Setting, Span, TextSetter } from "./text-setter.ts";

/** Where the values of rows begin. */
const VALUES = PAGE.side + Math.round(WIDTH * 0.28);
/** Lines of the longest value: the size shrinks beyond them. */
const MOST_LINES = 40;
/** The box of a signature. */
const SIGNATURE = { width: 190, height: 62, typed: 22 } as const;

export interface ReportTools {
  readonly document: PDFKit.PDFDocument;
  readonly setter: TextSetter;
  readonly structure: Structure;
  readonly content: ReportContent;
  readonly texts: ReportTexts;
}

/** A heading with a line above it. */
export function heading({ document, setter, structure }: ReportTools, text: string): Block {
  const laid = setter.lay([bold(text)], { ...style("type-18"), width: WIDTH });
  const padding = space("s-12");
  return {
    before: space("s-24"),
    isKept: true,
    height: padding + laid.height,
    draw: (y) => {
      structure.artifact(() => line(document, y, PT, light.ink));
      structure.text("H2", () => laid.draw(PAGE.side, y + padding));
    },
  };
}

/** A paragraph over the whole width. */
export function paragraph(
  { setter, structure }: ReportTools,
  spans: readonly Span[],
  setting: Partial<Setting> = {},
  isKept = false,
): Block {
  const laid = setter.lay(spans, { ...style("type-12"), width: WIDTH, mostLines: MOST_LINES, ...setting });
  return {
    before: space("s-8"),
    isKept,
    height: laid.height,
    draw: (y) => structure.text("P", () => laid.draw(PAGE.side, y)),
  };
}

/** The value of a row, not laid out yet. */
export type Value = { readonly spans: readonly Span[]; readonly setting?: Partial<Setting> };

export const plain = (text: string, setting?: Partial<Setting>): Value => ({
  spans: [sans(text)],
  ...(setting === undefined ? {} : { setting }),
});
/** Digits that people compare. */
export const digits = (hex: string): Value[] =>
  grouped(hex).map((text) => ({ spans: [{ text, face: "mono" }], setting: { mostLines: 1 } }));
export const code = (text: string): Value => ({ spans: [{ text, face: "mono" }], setting: { mostLines: 1 } });

/** Rows of a table: a name, and one value below the other. A row stands on one page. */
export function rows(tools: ReportTools, given: readonly (readonly [string, readonly Value[]])[]): Block[] {
  const { setter, structure } = tools;
  let table: ReturnType<Structure["table"]> | null = null;
  return given.map(([name, values], index) => {
    const title = setter.lay([sans(name)], {
      ...style("type-12", light["ink-2"]),
      width: VALUES - PAGE.side - space("s-12"),
    });
    const laid = values.map(({ spans, setting }) =>
      setter.lay(spans, { ...style("type-12"), width: RIGHT - VALUES, mostLines: MOST_LINES, ...setting }),
    );
    return {
      before: space("s-4"),
      // A name does not stand alone at the foot of a page.
      isKept: index === 0 && given.length > 1,
      height: Math.max(title.height, sumOf(laid)),
      draw: (y) => {
        table ??= structure.table();
        table.row(() => title.draw(PAGE.side, y), below(laid, VALUES, y));
        if (index === given.length - 1) table.end();
      },
    };
  });
}

function below(laid: readonly Laid[], x: number, top: number): (() => void)[] {
  let y = top;
  return laid.map((each) => {
    const at = y;
    y += each.height;
    return () => each.draw(x, at);
  });
}

/** A signature as it was drawn or typed, in a box beside its name. */
export function signatureBox(
  { document, setter, structure, texts }: ReportTools,
  name: string,
  given: GivenSignature,
): Block {
  const title = setter.lay([sans(texts.signature)], {
    ...style("type-12", light["ink-2"]),
    width: VALUES - PAGE.side - space("s-12"),
  });
  const { width, height } = SIGNATURE;
  const inset = space("s-8");
  const typed =
    given.kind === "typed"
      ? setter.lay([sans(given.text)], {
          size: SIGNATURE.typed,
          leading: 1.2,
          color: light["paper-ink"],
          width: width - 2 * inset,
          mostHeight: height - 2 * inset,
        })
      : null;
  return {
    before: space("s-8"),
    height: height + PT,
    draw: (y) => {
      structure.text("P", () => title.draw(PAGE.side, y));
      structure.artifact(() => document.rect(VALUES, y, width, height).lineWidth(PT).stroke(light["line-strong"]));
      if (typed !== null) return structure.text("P", () => typed.draw(VALUES + inset, y + (height - typed.height) / 2));
      if (given.kind !== "drawn") return;
      const box: [number, number, number, number] = [VALUES, y, VALUES + width, y + height];
      structure.figure(texts.drawn(name), box, () =>
        drawPaths(document, { x: VALUES, y, width, height }, given, light["paper-ink"]),
      );
    },
  };
}

/** An instant in words, in the organization's time zone. */
export function spoken({ content: { timeZone }, texts }: ReportTools, at: Clock): string {
  const zone = texts.zone(timeZone, at.offset, at.utc);
  return `${texts.date(at.local)} (${zone ?? "UTC"})`;
}

/** An instant in UTC, with all its digits. */
export const utc = (at: Clock): Value =>
  plain(`${at.utc.replace(/Z$/, "").replace("T", " ")} UTC`, { color: light["ink-2"], mostLines: 1 });
