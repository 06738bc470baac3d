/** The pages of a DANFSe: sections of labelled values below each other, on one page where they fit. */
import { light } from "../generated/design-tokens.ts";
import { type Block, paged } from "./blocks.ts";
import type { DanfseCell, DanfseContent, DanfseSection } from "./danfse-content.ts";
import { PAGE, sumOf } from "./page-measures.ts";
import { drawQrCode } from "./qr-code.ts";
import { bold, sans } from "./receipt-parts.ts";
import { Structure } from "./structure.ts";
import type { Laid, Span, TextSetter } from "./text-setter.ts";

const SIDE = 32;
const WIDTH = PAGE.width - 2 * SIDE;
const RIGHT = PAGE.width - SIDE;
/** Below it stands the line at the foot. */
const BOTTOM = 32;
const TOP = 22;
const COLUMNS = 4;
/** Between columns. */
const GUTTER = 10;
const QR = 84;
const BAND = 17;
/** Words across the page: the diagonal, without the corners. */
const WATERMARK = { width: 690, size: 104 } as const;
/**
 * Space above a section and above a row, and the size of letters: the roomiest that puts all on one page, as the model wants it, or the first
 * if none does.
 */
const DENSITIES = [
  { section: 7, row: 4, scale: 1 },
  { section: 6, row: 3, scale: 1 },
  { section: 5, row: 2, scale: 1 },
  { section: 4, row: 2, scale: 0.93 },
  { section: 3, row: 1.5, scale: 0.86 },
  { section: 2.5, row: 1, scale: 0.8 },
] as const;
/** Labels are small already. */
const LEAST_LABEL = 0.86;
type Density = (typeof DENSITIES)[number];

/**
 * The model that the product names. Nota Técnica 008/2026 (SE/CGNFS-e) has a model v2.0: its fields stand here, but for details of IBS and CBS;
 * its places, typefaces and logo do not, so the page does not call itself v2.0.
 */
const TITLE = "DANFSe v1.0";
const SUBTITLE = "Documento Auxiliar da NFS-e";
const ABOUT_KEY =
  "A autenticidade desta NFS-e pode ser verificada pela leitura deste código QR ou pela consulta da chave de acesso no portal nacional da NFS-e.";

const label = { size: 6.25, leading: 1.28, color: light["ink-2"] } as const;
const value = { size: 8.25, leading: 1.28, color: light.ink, isTabular: true } as const;
const small = { size: 7, leading: 1.35, color: light["ink-2"] } as const;
/** Values shrink to it, and are taller then. */
const SMALLEST = 6.25;

interface Tools {
  readonly document: PDFKit.PDFDocument;
  readonly setter: TextSetter;
  readonly structure: Structure;
  readonly content: DanfseContent;
}

export function drawDanfse(document: PDFKit.PDFDocument, setter: TextSetter, content: DanfseContent): void {
  const tools: Tools = { document, setter, structure: new Structure(document), content };
  const marks = marksOf(content);
  const top = TOP + marks.length * BAND;
  const height = PAGE.height - top - BOTTOM;
  const pages = arrange(tools, height);
  for (const [index, page] of pages.entries()) {
    if (index > 0) document.addPage();
    drawMarks(tools, marks);
    footer(tools, index + 1, pages.length);
    for (const { block, y } of page) block.draw(top + y);
  }
  tools.structure.end();
}

function arrange(tools: Tools, height: number): ReturnType<typeof paged> {
  const [roomiest, ...others] = DENSITIES.map((density) => () => paged(allBlocks(tools, density), height));
  const pages = roomiest?.() ?? [];
  if (pages.length === 1) return pages;
  for (const denser of others) {
    const tried = denser();
    if (tried.length === 1) return tried;
  }
  return pages;
}

const allBlocks = (tools: Tools, density: Density): Block[] => [
  header(tools),
  key(tools, density),
  ...tools.content.sections.flatMap((section) => sectionBlocks(tools, section, density)),
];

/** The name of the document, and where it comes from. */
function header({ document, setter, structure, content }: Tools): Block {
  const title = setter.lay([bold(TITLE), sans(` – ${SUBTITLE}`)], {
    ...{ size: 13, leading: 1.3, color: light.ink },
    width: WIDTH * 0.62,
    mostLines: 1,
  });
  const width = WIDTH * 0.36;
  const origin = content.origin.map((text) =>
    setter.lay([sans(text)], { ...small, leading: 1.25, width, align: "right", mostLines: 1 }),
  );
  const height = Math.max(title.height, sumOf(origin));
  return {
    before: 0,
    height: height + 4,
    draw: (top) => {
      structure.text("H1", () => title.draw(SIDE, top + (height - title.height) / 2));
      let y = top + (height - sumOf(origin)) / 2;
      for (const line of origin) {
        const at = y;
        structure.text("P", () => line.draw(RIGHT - width, at));
        y += line.height;
      }
      structure.artifact(() => rule(document, top + height + 4, 1.5, light.ink));
    },
  };
}

/** The access key, numbers and dates, and beside them the QR code. */
function key({ document, setter, structure, content }: Tools, density: Density): Block {
  const width = WIDTH - QR - 20;
  const heading = setter.lay([sans("Chave de acesso da NFS-e")], { ...label, width });
  const digits = setter.lay([{ text: inGroups(content.accessKey), face: "mono-bold" }], {
    ...{ size: 11, leading: 1.35, color: light.ink },
    width,
    mostLines: 1,
  });
  const rows = content.opening.map((row) => layRow(setter, row, width, density.scale));
  const about = setter.lay([sans(ABOUT_KEY)], { ...small, size: 6.75, width });
  const left =
    heading.height + digits.height + rows.reduce((sum, { height }) => sum + density.row + height, 0) + 6 + about.height;
  const height = Math.max(left, QR);
  return {
    before: 9,
    height,
    draw: (top) => {
      let y = top + (height - left) / 2;
      const table = structure.table();
      const [headingAt, digitsAt] = [y, y + heading.height];
      table.row(() => heading.draw(SIDE, headingAt), [() => digits.draw(SIDE, digitsAt)]);
      y += heading.height + digits.height;
      for (const row of rows) {
        row.draw(table, y + density.row);
        y += density.row + row.height;
      }
      table.end();
      y += 6;
      structure.link(content.verifyUrl, [SIDE, y, about.width, about.height], () => about.draw(SIDE, y));
      const [x, at] = [RIGHT - QR, top + (height - QR) / 2];
      structure.figure(`Código QR: ${content.verifyUrl}`, [x, at, RIGHT, at + QR], () =>
        drawQrCode(document, content.verifyUrl, {
          ...{ x, y: at, side: QR },
          ink: light["paper-ink"],
          paper: light.paper,
        }),
      );
    },
  };
}

/** Ten groups of five digits, which people can compare. */
const inGroups = (digits: string) => digits.replaceAll(/\d{5}(?=\d)/g, "$& ");

type Table = ReturnType<Structure["table"]>;

function sectionBlocks(tools: Tools, { title, note, rows, texts }: DanfseSection, density: Density): Block[] {
  const { document, setter, structure } = tools;
  const spans = [bold(title), ...(note === null ? [] : [sans(`  ${note}`)])];
  const name = setter.lay(spans, { size: 8.25 * density.scale, leading: 1.3, color: light.brand, width: WIDTH });
  const heading: Block = {
    before: density.section,
    isKept: note === null,
    height: 4 + name.height,
    draw: (y) => {
      structure.artifact(() => rule(document, y, 0.75, light["line-strong"]));
      structure.text("H2", () => name.draw(SIDE, y + 4));
    },
  };
  let table: Table | null = null;
  const laid = rows.map((row) => layRow(setter, row, WIDTH, density.scale));
  const inTable = laid.map((row, index): Block => {
    const isLast = index === laid.length - 1;
    return {
      before: index === 0 ? 2 : density.row,
      height: row.height,
      draw: (y) => {
        table ??= structure.table();
        row.draw(table, y);
        if (isLast) table.end();
      },
    };
  });
  return [heading, ...inTable, ...texts.flatMap((text) => textBlocks(tools, text, density))];
}

/** A text, a block for each of its lines: pages may part it there. */
function textBlocks(
  { setter, structure }: Tools,
  { label: name, lines }: DanfseSection["texts"][number],
  { row, scale }: Density,
): Block[] {
  const heading =
    name === null ? null : setter.lay([sans(name)], { ...scaled(label, Math.max(scale, LEAST_LABEL)), width: WIDTH });
  const first: Block[] = heading
    ? [
        {
          before: row,
          isKept: true,
          height: heading.height,
          draw: (y) => structure.text("P", () => heading.draw(SIDE, y)),
        },
      ]
    : [];
  const laid = lines.map((text) => setter.lay([sans(text)], { ...scaled(value, scale), leading: 1.35, width: WIDTH }));
  const written = laid.map((each, index): Block => {
    const isEmpty = lines[index]?.trim() === "";
    return {
      before: index === 0 && heading === null ? 2 : 0,
      height: isEmpty ? each.height / 2 : each.height,
      draw: (y) => {
        if (!isEmpty) structure.text("P", () => each.draw(SIDE, y));
      },
    };
  });
  return [...first, ...written];
}

interface Row {
  readonly height: number;
  readonly draw: (table: Table, y: number) => void;
}

/** Cells beside each other, each a label above its value. */
function layRow(setter: TextSetter, cells: readonly DanfseCell[], width: number, scale: number): Row {
  const column = (width - (COLUMNS - 1) * GUTTER) / COLUMNS;
  let start = 0;
  const laid = cells.map((cell) => {
    const x = SIDE + start * (column + GUTTER);
    start += cell.columns;
    const room = cell.columns * column + (cell.columns - 1) * GUTTER;
    const name = setter.lay([sans(cell.label)], {
      ...scaled(label, Math.max(scale, LEAST_LABEL)),
      width: room,
      mostLines: 1,
    });
    return { x, name, text: layValue(setter, cell, room, scale) };
  });
  const names = Math.max(...laid.map(({ name }) => name.height));
  return {
    height: names + Math.max(...laid.map(({ text }) => text.height)),
    draw: (table, y) => {
      for (const { x, name, text } of laid) table.row(() => name.draw(x, y), [() => text.draw(x, y + names)]);
    },
  };
}

function layValue(setter: TextSetter, cell: DanfseCell, width: number, scale: number): Laid {
  const spans: Span[] = [cell.isStrong ? bold(cell.value) : sans(cell.value)];
  const sized = scaled(cell.isStrong ? { ...value, size: 9 } : value, scale);
  return setter.lay(spans, { ...sized, width, mostLines: 2, smallest: SMALLEST });
}

const scaled = <T extends { readonly size: number }>(style: T, scale: number) => ({
  ...style,
  size: style.size * scale,
});

interface Mark {
  readonly word: string;
  readonly notice: string;
  readonly color: string;
}

/** What makes the document worthless, or worth less: no reader may miss it. */
function marksOf({ isTest, canceledAt }: DanfseContent): Mark[] {
  return [
    ...(canceledAt === null ? [] : [{ word: "CANCELADA", notice: `CANCELADA · em ${canceledAt}`, color: light.bad }]),
    ...(isTest
      ? [
          {
            word: "SEM VALIDADE JURÍDICA",
            notice: "NFS-e SEM VALIDADE JURÍDICA · emitida em ambiente de testes",
            color: light.warn,
          },
        ]
      : []),
  ];
}

/** Words across the page, and a band for each above it. */
function drawMarks({ document, setter, structure }: Tools, marks: readonly Mark[]): void {
  const words = marks.map(({ word }) =>
    setter.lay([bold(word)], {
      ...{ size: WATERMARK.size, leading: 1.1, color: light.line },
      width: WATERMARK.width,
      mostLines: 1,
    }),
  );
  structure.artifact(() => {
    document.save();
    document.rotate(-52, { origin: [PAGE.width / 2, PAGE.height / 2] });
    let y = (PAGE.height - sumOf(words)) / 2;
    for (const word of words) {
      word.draw((PAGE.width - word.width) / 2, y);
      y += word.height;
    }
    document.restore();
  });
  for (const [index, { notice, color }] of marks.entries()) {
    const laid = setter.lay([bold(notice)], {
      ...{ size: 9.5, leading: 1.3, color: light.surface },
      width: WIDTH,
      mostLines: 1,
    });
    const y = index * BAND;
    structure.artifact(() => document.rect(0, y, PAGE.width, BAND).fill(color));
    structure.text("P", () => laid.draw(SIDE, y + (BAND - laid.height) / 2));
  }
}

function footer({ document, setter, structure, content }: Tools, page: number, pages: number): void {
  const y = PAGE.height - BOTTOM + 8;
  const setting = { ...small, size: 6.75, mostLines: 1 } as const;
  const left = setter.lay([sans(`NFS-e nº ${content.number} · chave de acesso ${content.accessKey}`)], {
    ...setting,
    width: WIDTH * 0.8,
  });
  const right = setter.lay([sans(`Página ${page} de ${pages}`)], { ...setting, width: WIDTH * 0.2, align: "right" });
  structure.artifact(() => {
    rule(document, y, 0.5, light.line);
    left.draw(SIDE, y + 4);
    right.draw(SIDE + WIDTH * 0.8, y + 4);
  }, "Pagination");
}

function rule(document: PDFKit.PDFDocument, y: number, width: number, color: string): void {
  document.moveTo(SIDE, y).lineTo(RIGHT, y).lineWidth(width).stroke(color);
}
