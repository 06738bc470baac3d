/** The pages of a DANFSe: sections of labelled values below each other, on one page where they fit. */
import { light } from "../generated/design-tokens.ts";
import { type Block, paged } from "./blocks.ts";
import type { DanfseCell, DanfseContent, DanfseSection } from "./danfse-content.ts";
import { PAGE, sumOf } from "./page-measures.ts";
import { drawQrCode } from "./qr-code.ts";
import { bold, sans } from "./receipt-parts.ts";
import { Structure } from "./structure.ts";
import type { TextSetter } from "./text-setter.ts";

/** Points in a centimetre. Lengths of the model are in centimetres. */
const CM = 28.3465;
const LEFT = 0.3 * CM;
const WIDTH = 20.4 * CM;
const RIGHT = LEFT + WIDTH;
const COLUMNS = 4;
const COLUMN = WIDTH / COLUMNS;
/** Between the edge of a column and its text. */
const INSET = 0.1 * CM;
/** The frame around all of the page. */
const FRAME = { inset: 0.15 * CM, line: 1 } as const;
const LINE = 0.5;
/** Below it stands the line at the foot. */
const BOTTOM = 20;
const TOP = 0.3 * CM;
const HEAD = 1.17 * CM;
const QR = 1.9 * CM;
/** What stays white around the QR code. */
const QUIET = 6;
const BAND = 17;
const STUB = 0.67 * CM;
/** Words across the page: the diagonal, without the corners. */
const WATERMARK = { width: 690, size: 104 } as const;
/**
 * Space above a row, and the size of letters: the roomiest that puts all on one page, as the model wants it, or the first if none does.
 */
const DENSITIES = [
  { row: 3, scale: 1 },
  { row: 2, scale: 1 },
  { row: 1, scale: 1 },
  { row: 1, scale: 0.93 },
] as const;
type Density = (typeof DENSITIES)[number];

/**
 * The model v2.0 of Nota Técnica 008/2026 (SE/CGNFS-e): its blocks and fields, their order, words and columns. It differs in its typefaces, which
 * the file has inside it, in the logo, whose place has the name, and in that a long text goes on on another page and is not cut. The stub for the
 * customer's signature is optional in the model (items 2.1.13 and 2.3.3): it stands at the foot of the last page if that has room for it.
 */
const TITLE = "DANFSe v2.0";
const SUBTITLE = "Documento Auxiliar da NFS-e";
const NO_VALIDITY = "NFS-e SEM VALIDADE JURÍDICA";
const ABOUT_KEY =
  "A autenticidade desta NFS-e pode ser verificada pela leitura deste código QR ou pela consulta da chave de acesso no portal nacional da NFS-e.";

const BLACK = light["paper-ink"];
const label = { size: 6, leading: 1.25, color: BLACK } as const;
const value = { size: 7, leading: 1.3, color: BLACK, isTabular: true } as const;
const heading = { size: 7, leading: 1.3, color: BLACK } as const;
const small = { size: 6, leading: 1.25, color: BLACK } as const;
/** Values shrink to it, and are taller then. */
const SMALLEST = 6;

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
    frame(tools, top - TOP + FRAME.inset);
    footer(tools, index + 1, pages.length);
    for (const { block, y } of page) block.draw(top + y);
  }
  const last = pages.at(-1)?.at(-1);
  if (last !== undefined && last.y + last.block.height + STUB <= height) drawStub(tools);
  tools.structure.end();
}

function frame({ document, structure }: Tools, top: number): void {
  const { inset, line } = FRAME;
  structure.artifact(() =>
    document
      .rect(inset, top, PAGE.width - 2 * inset, PAGE.height - top - inset)
      .lineWidth(line)
      .stroke(BLACK),
  );
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
  const name = setter.lay([bold("NFS-e")], {
    size: 17,
    leading: 1.1,
    color: BLACK,
    width: COLUMN * 0.45,
    mostLines: 1,
  });
  const meaning = setter.lay([sans("Nota Fiscal de Serviço Eletrônica")], { ...small, width: COLUMN * 0.45 });
  const titles = [TITLE, SUBTITLE].map((text) =>
    setter.lay([bold(text)], { size: 9, leading: 1.2, color: BLACK, width: 2 * COLUMN, mostLines: 1 }),
  );
  const warning = setter.lay([bold(NO_VALIDITY)], { size: 9, leading: 1.2, color: light.bad, width: 2 * COLUMN });
  const center = content.isTest ? [...titles, warning] : titles;
  const width = COLUMN - 2 * INSET;
  const origin = content.origin.map((text, place) =>
    setter.lay([sans(text)], { ...small, size: place === 0 && content.origin.length > 2 ? 8 : 6, width, mostLines: 1 }),
  );
  return {
    before: 0,
    height: HEAD,
    draw: (top) => {
      structure.artifact(() => document.rect(LEFT, top, WIDTH, HEAD).fill(light.sunken));
      structure.artifact(() => rule(document, top + HEAD));
      structure.text("P", () => {
        name.draw(LEFT + 2 * INSET, top + (HEAD - name.height) / 2);
        meaning.draw(LEFT + 2 * INSET + name.width + INSET, top + (HEAD - meaning.height) / 2);
      });
      let y = top + (HEAD - sumOf(center)) / 2;
      for (const [place, line] of center.entries()) {
        const at = y;
        structure.text(place === 0 ? "H1" : "P", () => line.draw(LEFT + (WIDTH - line.width) / 2, at));
        y += line.height;
      }
      y = top + (HEAD - sumOf(origin)) / 2;
      for (const line of origin) {
        const at = y;
        structure.text("P", () => line.draw(LEFT + 3 * COLUMN + INSET, at));
        y += line.height;
      }
    },
  };
}

/** The access key, numbers and dates, and beside them the QR code. */
function key({ document, setter, structure, content }: Tools, density: Density): Block {
  const keyRow = layRow(setter, [{ label: "CHAVE DE ACESSO DA NFS-e", value: content.accessKey, columns: 3 }], 0, 1);
  const rows = content.opening.map((row) => layRow(setter, row, 0, density.scale));
  const about = setter.lay([sans(ABOUT_KEY)], { ...small, width: COLUMN - 2 * INSET });
  const left = [keyRow, ...rows].reduce((sum, { height }) => sum + density.row + height, 0);
  const right = QUIET + QR + 4 + about.height;
  const height = Math.max(left, right) + 3;
  return {
    before: 2,
    height,
    draw: (top) => {
      let y = top;
      const table = structure.table();
      for (const row of [keyRow, ...rows]) {
        shade({ document, structure }, row, y + density.row);
        row.draw(table, y + density.row);
        y += density.row + row.height;
      }
      table.end();
      const x = LEFT + 3 * COLUMN + (COLUMN - QR) / 2;
      const at = top + QUIET;
      structure.figure(`Código QR: ${content.verifyUrl}`, [x, at, x + QR, at + QR], () =>
        drawQrCode(document, content.verifyUrl, { ...{ x, y: at, side: QR }, ink: BLACK, paper: light.paper }),
      );
      const [textX, textY] = [LEFT + 3 * COLUMN + INSET, at + QR + 4];
      structure.link(content.verifyUrl, [textX, textY, about.width, about.height], () => about.draw(textX, textY));
    },
  };
}

type Table = ReturnType<Structure["table"]>;

function sectionBlocks(tools: Tools, { title, rows, texts }: DanfseSection, density: Density): Block[] {
  const { document, setter, structure } = tools;
  const [first, ...others] = rows.map((row, place) => layRow(setter, row, place === 0 ? 1 : 0, density.scale));
  if (first === undefined) return [strip(tools, title, texts.length > 0), ...textsOf(tools, texts, density)];
  const name = setter.lay([bold(title)], { ...heading, width: COLUMN - 2 * INSET, mostLines: 2, smallest: SMALLEST });
  const height = Math.max(first.height, name.height) + 2;
  let table: Table | null = null;
  const drawn = (row: Row, y: number, isLast: boolean) => {
    table ??= structure.table();
    shade(tools, row, y);
    row.draw(table, y);
    if (isLast) table.end();
  };
  const opening: Block = {
    before: 2,
    height,
    draw: (y) => {
      structure.artifact(() => document.rect(LEFT, y, COLUMN, height).fill(light.sunken));
      structure.artifact(() => rule(document, y));
      structure.text("H2", () => name.draw(LEFT + INSET, y + (height - name.height) / 2));
      drawn(first, y + 1, others.length === 0);
    },
  };
  const inTable = others.map((row, index): Block => {
    return { before: density.row, height: row.height, draw: (y) => drawn(row, y, index === others.length - 1) };
  });
  return [opening, ...inTable, ...textsOf(tools, texts, density)];
}

/** A title that stands alone: in the middle, unless texts follow it. */
function strip({ document, setter, structure }: Tools, title: string, hasTexts: boolean): Block {
  const name = setter.lay([bold(title)], { ...heading, width: WIDTH - 2 * INSET, mostLines: 1 });
  return {
    before: 2,
    isKept: hasTexts,
    height: name.height + 2,
    draw: (y) => {
      structure.artifact(() => rule(document, y));
      const x = hasTexts ? LEFT + INSET : LEFT + (WIDTH - name.width) / 2;
      structure.text("H2", () => name.draw(x, y + 1));
    },
  };
}

const textsOf = (tools: Tools, texts: DanfseSection["texts"], density: Density) =>
  texts.flatMap((text) => textBlocks(tools, text, density));

/** A text, a block for each of its lines: pages may part it there. */
function textBlocks(
  { setter, structure }: Tools,
  { label: name, lines }: DanfseSection["texts"][number],
  { row, scale }: Density,
): Block[] {
  const width = WIDTH - 2 * INSET;
  const titled = name === null ? null : setter.lay([bold(name)], { ...scaled(label, scale), width });
  const first: Block[] = titled
    ? [
        {
          before: row,
          isKept: true,
          height: titled.height,
          draw: (y) => structure.text("P", () => titled.draw(LEFT + INSET, y)),
        },
      ]
    : [];
  const laid = lines.map((text) => setter.lay([sans(text)], { ...scaled(value, scale), width }));
  const written = laid.map((each, index): Block => {
    const isEmpty = lines[index]?.trim() === "";
    return {
      before: index === 0 && titled === null ? 2 : 0,
      height: isEmpty ? each.height / 2 : each.height,
      draw: (y) => {
        if (!isEmpty) structure.text("P", () => each.draw(LEFT + INSET, y));
      },
    };
  });
  return [...first, ...written];
}

interface Row {
  readonly height: number;
  /** Where grey stands behind cells. */
  readonly shades: readonly { readonly x: number; readonly width: number }[];
  readonly draw: (table: Table, y: number) => void;
}

function shade(
  { document, structure }: Pick<Tools, "document" | "structure">,
  { shades, height }: Row,
  y: number,
): void {
  for (const { x, width } of shades) structure.artifact(() => document.rect(x, y, width, height).fill(light.sunken));
}

/** Cells beside each other, each a label above its value, from a column on. */
function layRow(setter: TextSetter, cells: readonly DanfseCell[], from: number, scale: number): Row {
  let start = from;
  const laid = cells.map((cell) => {
    const x = LEFT + start * COLUMN;
    start += cell.columns;
    const width = cell.columns * COLUMN;
    const room = width - 2 * INSET;
    const name = setter.lay([bold(cell.label)], { ...scaled(label, scale), width: room, mostLines: 1, smallest: 5 });
    const text = setter.lay([sans(cell.value)], {
      ...scaled(value, scale),
      width: room,
      mostLines: 2,
      smallest: SMALLEST,
    });
    return { x, width, name, text, isShaded: cell.isShaded === true };
  });
  const names = Math.max(...laid.map(({ name }) => name.height));
  return {
    height: names + Math.max(...laid.map(({ text }) => text.height)),
    shades: laid.filter(({ isShaded }) => isShaded),
    draw: (table, y) => {
      for (const { x, name, text } of laid)
        table.row(() => name.draw(x + INSET, y), [() => text.draw(x + INSET, y + names)]);
    },
  };
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
            notice: `${NO_VALIDITY} · emitida em ambiente de testes`,
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
    structure.text("P", () => laid.draw(LEFT + INSET, y + (BAND - laid.height) / 2));
  }
}

/** What the customer may sign and tear off: the last line of the model. */
function drawStub({ document, setter, structure, content }: Tools): void {
  const top = PAGE.height - BOTTOM - STUB;
  const cells = [
    { label: "DATA CIENTIFICAÇÃO", value: "", column: 0 },
    { label: "IDENTIFICAÇÃO E ASSINATURA", value: "", column: 1 },
    { label: "Nº NFS-e / CHAVE NFS-e", value: `${content.number} / ${content.accessKey}`, column: 2 },
  ].map(({ column, ...texts }) => {
    const width = (column === 2 ? 2 * COLUMN : COLUMN) - 2 * INSET;
    const name = setter.lay([bold(texts.label)], { ...label, width, mostLines: 1 });
    const text = setter.lay([sans(texts.value)], { ...value, width, mostLines: 1 });
    return { x: LEFT + column * COLUMN, name, text, isEmpty: texts.value === "" };
  });
  structure.artifact(() => {
    rule(document, top);
    for (const { x } of cells.slice(1))
      document
        .moveTo(x, top)
        .lineTo(x, top + STUB)
        .lineWidth(LINE)
        .stroke(BLACK);
  });
  for (const { x, name, text, isEmpty } of cells)
    structure.text("P", () => {
      name.draw(x + INSET, top + 1);
      if (!isEmpty) text.draw(x + INSET, top + 1 + name.height);
    });
}

function footer({ document, setter, structure, content }: Tools, page: number, pages: number): void {
  const y = PAGE.height - BOTTOM;
  const left = setter.lay([sans(`NFS-e nº ${content.number} · chave de acesso ${content.accessKey}`)], {
    ...{ ...small, mostLines: 1 },
    width: WIDTH * 0.8,
  });
  const right = setter.lay([sans(`Página ${page} de ${pages}`)], {
    ...{ ...small, mostLines: 1 },
    width: WIDTH * 0.2 - INSET,
    align: "right",
  });
  structure.artifact(() => {
    rule(document, y);
    left.draw(LEFT + INSET, y + 3);
    right.draw(LEFT + WIDTH * 0.8, y + 3);
  }, "Pagination");
}

function rule(document: PDFKit.PDFDocument, y: number): void {
  document.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(LINE).stroke(BLACK);
}
