/** The parts of a receipt's page, each measured before it is drawn. */
import { light, type as scale } from "../generated/design-tokens.ts";
import { graphemesOf } from "./characters.ts";
import { drawMark } from "./mark.ts";
import { PAGE, PT, RIGHT, space, style, sumOf, WIDTH } from "./page-measures.ts";
import { drawQrCode } from "./qr-code.ts";
import type { ReceiptContent } from "./receipt-content.ts";
import type { ReceiptTexts } from "./receipt-texts.ts";
import type { Structure } from "./structure.ts";
import type { Laid, Setting, Span, TextSetter } from "./text-setter.ts";

/** Where the values of facts begin. */
const VALUES = PAGE.side + Math.round(WIDTH * 0.3);
/** 34 mm: a telephone reads it at arm's length. */
const QR = 96;
/** Lines of the main sentence. */
const CLAIM_LINES = 4;
/** Size at which even the longest signed content fits. */
const SMALLEST = 2;
/** Size of the signed content where there is room for it, in relation to the smallest size of the design. */
const CONTENT_SIZE = 0.85;

/** Size of the word across a test's page. */
const WATERMARK = 150;

/** How much room parts take. */
export interface Density {
  readonly value: "type-14" | "type-12";
  readonly valueLines: number;
  readonly rowPadding: number;
  readonly stubPadding: number;
}

/** A part of the page, not drawn yet. */
export interface Part {
  readonly height: number;
  readonly draw: (y: number) => void;
}

export interface Tools {
  readonly document: PDFKit.PDFDocument;
  readonly setter: TextSetter;
  readonly structure: Structure;
  readonly content: ReceiptContent;
  readonly texts: ReceiptTexts;
}

/** What parts that reports have as well draw with. */
type Common = Pick<Tools, "document" | "setter" | "structure">;

/** Mark and name; the operator's on the right. */
export function header({
  document,
  setter,
  structure,
  content,
}: Common & { readonly content: Pick<ReceiptContent, "operator"> }): Part {
  const side = space("s-32");
  const name = setter.lay([bold("Selo")], { ...style("type-22"), width: WIDTH / 4 });
  const right = { width: WIDTH * 0.65, align: "right", mostLines: 2 } as const;
  const lines = [content.operator.name, content.operator.details]
    .filter((line) => line !== null)
    .map((line) => setter.lay([sans(line)], { ...style("type-12", light["ink-2"]), ...right }));
  const below = sumOf(lines);
  const height = Math.max(side, below);
  const rule = space("s-24");
  return {
    height: height + rule,
    draw: (y) => {
      structure.figure("Selo", [PAGE.side, y, PAGE.side + side, y + side], () =>
        drawMark(document, PAGE.side, y + (height - side) / 2, side, light.brand),
      );
      structure.text("P", () => name.draw(PAGE.side + side + space("s-8"), y + (height - name.height) / 2));
      let at = y + (height - below) / 2;
      for (const line of lines) {
        structure.text("P", () => line.draw(RIGHT - right.width, at));
        at += line.height;
      }
      structure.artifact(() => line(document, y + height + rule, 2 * PT, light.ink));
    },
  };
}

/** The sentence that names file, organization, date and time. */
export function claim({ setter, structure, content, texts }: Tools): Part {
  const kind = setter.lay([bold(content.isTest ? `${texts.title} · ${texts.test}` : texts.title)], {
    ...style("type-14", content.isTest ? light.warn : light.brand),
    width: WIDTH,
  });
  const sentence = layClaim(setter, content, texts);
  return {
    height: kind.height + space("s-4") + sentence.height,
    draw: (y) => {
      structure.text("P", () => kind.draw(PAGE.side, y));
      structure.text("H1", () => sentence.draw(PAGE.side, y + kind.height + space("s-4")));
    },
  };
}

/** Where names are so long that the sentence would become small print, their middle is left out: the facts below have them whole. */
function layClaim(setter: TextSetter, content: ReceiptContent, texts: ReceiptTexts): Laid {
  const { fileName, organization, localTime, timeZone, utcOffset, registeredAt } = content;
  const zone = texts.zone(timeZone, utcOffset, registeredAt) ?? "UTC";
  const setting = { ...style("type-22"), width: WIDTH, smallest: scale["type-16"][0] * PT };
  const lay = (most: number) =>
    setter.lay(
      texts.claim({
        fileName: fileName === null ? null : shortened(fileName, most),
        organization: shortened(organization, most),
        localTime,
        zone,
      }),
      { ...setting, mostLines: CLAIM_LINES },
    );
  let most = 100;
  let laid = lay(most);
  while (laid.lines > CLAIM_LINES && most > 20) {
    most -= 20;
    laid = lay(most);
  }
  return laid;
}

/** Code and QR code between two perforations. */
export function stub(
  {
    document,
    setter,
    structure,
    content,
    texts,
  }: Common & {
    readonly content: Pick<ReceiptContent, "verifyUrl" | "verificationCode">;
    readonly texts: Pick<ReceiptTexts, "code" | "address" | "orScan" | "qrCode">;
  },
  density: Pick<Density, "stubPadding">,
): Part {
  const width = WIDTH - QR - space("s-32");
  const address = content.verifyUrl.replace(/^https:\/\//, "");
  const small = { ...style("type-14"), width, mostLines: 3 };
  const heading = setter.lay([bold(texts.code)], small);
  const code = setter.lay([{ text: content.verificationCode, face: "mono-bold" }], {
    ...style("type-36"),
    width,
    mostLines: 1,
  });
  const oneLine = setter.lay(texts.address(address), { ...small, mostLines: 1, smallest: scale["type-12"][0] * PT });
  const where = oneLine.lines === 1 ? oneLine : setter.lay(texts.address(address), small);
  const scan = setter.lay([sans(texts.orScan)], small);
  const padding = density.stubPadding;
  const height = 2 * padding + Math.max(QR, sumOf([heading, code, where, scan]) + 2 * space("s-4"));
  return {
    height,
    draw: (top) => {
      structure.artifact(() => {
        perforation(document, top);
        perforation(document, top + height);
      });
      let y = top + (height - sumOf([heading, code, where, scan]) - 2 * space("s-4")) / 2;
      const put = (laid: Laid, after: number) => {
        const at = y;
        y += laid.height + after;
        return () => laid.draw(PAGE.side, at);
      };
      structure.text("H2", put(heading, space("s-4")));
      structure.text("P", put(code, space("s-4")));
      structure.link(content.verifyUrl, [PAGE.side, y, where.width, where.height], put(where, 0));
      structure.text("P", put(scan, 0));
      const [x, at] = [RIGHT - QR, top + (height - QR) / 2];
      structure.figure(texts.qrCode(content.verifyUrl), [x, at, RIGHT, at + QR], () =>
        drawQrCode(document, content.verifyUrl, {
          ...{ x, y: at, side: QR },
          ink: light["paper-ink"],
          paper: light.paper,
        }),
      );
    },
  };
}

/** What was registered: a name and a value in each row, with a line between rows. */
export function facts({ document, setter, structure, content, texts }: Tools, density: Density): Part {
  const value = (text: string, setting: Partial<Setting> = {}, face: Span["face"] = "sans", after = "") =>
    setter.lay([{ text, face }, ...(after === "" ? [] : [sans(after)])], {
      ...{ ...style(density.value), width: RIGHT - VALUES, mostLines: density.valueLines },
      ...setting,
    });
  const zone = texts.zone(content.timeZone, content.utcOffset, content.registeredAt);
  const utc = `${content.registeredAt.replace(/Z$/, "").replace("T", " ")} UTC`;
  const size = content.fileSize === null ? null : texts.bytes(content.fileSize);
  const rows: readonly (readonly [string, readonly Laid[]])[] = [
    [texts.organization, [value(content.organization)]],
    ...(content.fileName === null
      ? size === null
        ? []
        : [[texts.fileSize, [value(size)]] as const]
      : [[texts.fileName, [value(content.fileName, {}, "sans", size === null ? "" : ` (${size})`)]] as const]),
    [texts.label, [value(content.label ?? `(${texts.noLabel})`)]],
    [
      texts.dateAndTime,
      // An organization whose zone is UTC is not told the same twice.
      zone === null
        ? [value(`${texts.date(content.localTime)}${content.localTime.slice(19)} UTC`)]
        : [value(`${texts.date(content.localTime)} (${zone})`), value(utc, { color: light["ink-2"] })],
    ],
    [texts.fingerprint, grouped(content.sha256).map((line) => value(line, { mostLines: 1 }, "mono"))],
    [texts.keys, content.keyIds.map((id) => value(id, { mostLines: 1 }, "mono"))],
  ];
  const padding = density.rowPadding;
  const laid = rows.map(([name, values]) => {
    const heading = setter.lay([sans(name)], {
      ...style(density.value, light["ink-2"]),
      width: VALUES - PAGE.side - space("s-16"),
    });
    return { heading, values, height: Math.max(heading.height, sumOf(values)) };
  });
  return {
    height: sumOf(laid) + 2 * padding * (laid.length - 1),
    draw: (top) => {
      let y = top;
      const table = structure.table();
      for (const [index, { heading, values, height }] of laid.entries()) {
        const start = y;
        if (index > 0) structure.artifact(() => line(document, start - padding, PT, light.line));
        let at = start;
        const lines = values.map((each) => {
          const place = at;
          at += each.height;
          return () => each.draw(VALUES, place);
        });
        table.row(() => heading.draw(PAGE.side, start), lines);
        y += height + 2 * padding;
      }
      table.end();
    },
  };
}

/** How to verify, and beside it what a proof does not show. */
export function explanations({ setter, structure, texts }: Tools): Part {
  const width = (WIDTH - space("s-32")) / 2;
  const indent = space("s-16");
  const column = (
    x: number,
    heading: string,
    items: readonly (readonly Span[])[],
    bullet: (index: number) => string,
  ) => {
    const title = setter.lay([bold(heading)], { ...style("type-14"), width });
    const laid = items.map((item, index) => ({
      bullet: setter.lay([sans(bullet(index))], { ...style("type-12"), width: indent }),
      item: setter.lay(item, { ...style("type-12"), width: width - indent }),
    }));
    return {
      height: title.height + laid.reduce((sum, { item }) => sum + space("s-4") + item.height, 0),
      draw: (top: number) => {
        structure.text("H2", () => title.draw(x, top));
        let y = top + title.height;
        const list = structure.list();
        for (const each of laid) {
          const at = y + space("s-4");
          list.item(
            () => each.bullet.draw(x, at),
            () => each.item.draw(x + indent, at),
          );
          y = at + each.item.height;
        }
        list.end();
      },
    };
  };
  const columns = [
    column(PAGE.side, texts.howToVerify, texts.instructions, (index) => `${index + 1}.`),
    column(
      RIGHT - width,
      texts.limits,
      texts.whatItDoesNotProve.map((limit) => [sans(limit)]),
      () => "–",
    ),
  ];
  return {
    height: Math.max(...columns.map(({ height }) => height)),
    draw: (y) => {
      for (const { draw } of columns) draw(y);
    },
  };
}

/** The signed text, as small as it must be: even the longest names and labels stand on one page. */
export function signedContent(
  { setter, structure, content, texts }: Tools,
  mostHeight = Number.POSITIVE_INFINITY,
  smallest = SMALLEST,
): Part {
  const title = setter.lay([bold(texts.content)], { ...style("type-14"), width: WIDTH });
  const about = setter.lay([sans(texts.aboutContent)], { ...style("type-12"), width: WIDTH });
  const head = title.height + about.height + 2 * space("s-4");
  const { size, ...others } = style("type-12", light["ink-2"]);
  const payload = setter.lay([{ text: content.payload, face: "mono" }], {
    ...others,
    size: size * CONTENT_SIZE,
    width: WIDTH,
    breakAnywhere: true,
    mostHeight: mostHeight - head,
    smallest,
  });
  return {
    height: head + payload.height,
    draw: (y) => {
      structure.text("H2", () => title.draw(PAGE.side, y));
      structure.text("P", () => about.draw(PAGE.side, y + title.height + space("s-4")));
      structure.text("P", () => payload.draw(PAGE.side, y + head));
    },
  };
}

/** The line at the foot of the page, and the margin below it. */
export function footer({ document, setter, structure, content, texts }: Tools, margin: number): Part {
  const small = { ...style("type-12", light["ink-2"]), width: WIDTH };
  const left = setter.lay([sans(`${texts.title} ${content.verificationCode}`)], small);
  const right = setter.lay([sans(texts.page)], { ...small, align: "right" });
  const padding = space("s-8");
  return {
    height: padding + left.height + margin,
    draw: (y) =>
      structure.artifact(() => {
        line(document, y, PT, light.line);
        left.draw(PAGE.side, y + padding);
        right.draw(PAGE.side, y + padding);
      }, "Pagination"),
  };
}

/** What marks a test beyond doubt, also in grey: the word across the page, and a band in words above and below. @returns the height of a band */
export function testBands({
  document,
  setter,
  structure,
  texts,
}: Common & { readonly texts: Pick<ReceiptTexts, "test" | "testNotice"> }): number {
  const word = setter.lay([bold(texts.test)], {
    ...{ size: WATERMARK, leading: 1, color: light.line },
    width: PAGE.height,
  });
  structure.artifact(() => {
    document.save();
    document.rotate(-52, { origin: [PAGE.width / 2, PAGE.height / 2] });
    word.draw((PAGE.width - word.width) / 2, (PAGE.height - word.height) / 2);
    document.restore();
  });
  const notice = setter.lay([bold(`${texts.test} · ${texts.testNotice}`)], {
    ...style("type-16", light.surface),
    width: WIDTH,
    mostLines: 1,
  });
  const height = notice.height + 2 * space("s-8");
  const below = PAGE.height - height;
  structure.artifact(() => {
    for (const y of [0, below]) document.rect(0, y, PAGE.width, height).fill(light.warn);
  });
  structure.text("P", () => notice.draw(PAGE.side, space("s-8")));
  structure.artifact(() => notice.draw(PAGE.side, below + space("s-8")));
  return height;
}

export const sans = (text: string): Span => ({ text, face: "sans" });
/** A sentence of ours that may begin with a name. */
export const ours = (text: string): Span => ({ text, face: "sans", isOurs: true });
export const bold = (text: string): Span => ({ text, face: "sans-bold" });

/** 64 hexadecimal digits in two lines of four groups, which people can compare. */
export const grouped = (digits: string) =>
  (digits.match(/.{1,32}/g) ?? []).map((line) => line.replaceAll(/.{8}(?=.)/g, "$& "));

/** A name of at most so many characters, without its middle if it is longer: the end of a file's name says what it is. */
function shortened(name: string, most: number): string {
  const characters = graphemesOf(name);
  if (characters.length <= most) return name;
  const end = Math.floor(most / 3);
  return `${characters.slice(0, most - end - 1).join("")}…${characters.slice(-end).join("")}`;
}

export function line(document: PDFKit.PDFDocument, y: number, width: number, color: string): void {
  document.moveTo(PAGE.side, y).lineTo(RIGHT, y).lineWidth(width).stroke(color);
}

/** A row of round dots. */
function perforation(document: PDFKit.PDFDocument, y: number): void {
  const width = 2 * PT;
  document.save();
  document
    .lineWidth(width)
    .lineCap("round")
    .dash(0.01, { space: 2 * width });
  document.moveTo(PAGE.side, y).lineTo(RIGHT, y).stroke(light["line-strong"]);
  document.restore();
}
