/** The pages of an evidence report: its blocks below each other, on as many pages as they need. */
import { light } from "../generated/design-tokens.ts";
import { type Block, paged } from "./blocks.ts";
import { PAGE, PT, space, style, WIDTH } from "./page-measures.ts";
import { bold, header, line, type Part, sans, stub, testBands } from "./receipt-parts.ts";
import type { ReportContent } from "./report-content.ts";
import { consents, documents, history, participants, summary, verification } from "./report-parts.ts";
import { reportTexts } from "./report-texts.ts";
import type { ReportTools } from "./report-tools.ts";
import { Structure } from "./structure.ts";
import type { TextSetter } from "./text-setter.ts";

/** Room for the footer, and for the bands of a test's page. */
const FRAME = { top: space("s-64"), bottom: space("s-64") + space("s-8") } as const;

export function drawReport(document: PDFKit.PDFDocument, setter: TextSetter, content: ReportContent): void {
  const structure = new Structure(document);
  const tools: ReportTools = { document, setter, structure, content, texts: reportTexts[content.language] };
  const blocks = [
    ...opening(tools),
    ...summary(tools),
    ...documents(tools),
    ...participants(tools),
    ...consents(tools),
    ...history(tools),
    ...verification(tools),
  ];
  const pages = paged(blocks, PAGE.height - FRAME.top - FRAME.bottom);
  for (const [index, page] of pages.entries()) {
    if (index > 0) document.addPage();
    frame(tools, index + 1, pages.length);
    for (const { block, y } of page) block.draw(FRAME.top + y);
  }
  structure.end();
}

/** The name of the report and the title of the envelope, and the code with its QR code. */
function opening(tools: ReportTools): Block[] {
  const { setter, structure, content, texts } = tools;
  const kind = setter.lay([bold(content.isTest ? `${texts.title} · ${texts.test}` : texts.title)], {
    ...style("type-14", content.isTest ? light.warn : light.brand),
    width: WIDTH,
  });
  const title = setter.lay([bold(content.title)], { ...style("type-22"), width: WIDTH, mostLines: 4 });
  const named: Part = {
    height: kind.height + space("s-4") + title.height,
    draw: (y) => {
      structure.text("P", () => kind.draw(PAGE.side, y));
      structure.text("H1", () => title.draw(PAGE.side, y + kind.height + space("s-4")));
    },
  };
  return [
    { ...header(tools), before: 0 },
    { ...named, before: space("s-16") },
    { ...stub(tools, { stubPadding: space("s-24") }), before: space("s-16") },
  ];
}

/** What stands on each page: the marks of a test, and the line at the foot. */
function frame(tools: ReportTools, page: number, pages: number): void {
  const { document, setter, structure, content, texts } = tools;
  if (content.isTest) testBands(tools);
  const small = { ...style("type-12", light["ink-2"]), width: WIDTH };
  const left = setter.lay([sans(`${texts.title} ${content.verificationCode}`)], small);
  const right = setter.lay([sans(texts.page(page, pages))], { ...small, align: "right" });
  const y = PAGE.height - FRAME.bottom + space("s-4");
  structure.artifact(() => {
    line(document, y, PT, light.line);
    left.draw(PAGE.side, y + space("s-4"));
    right.draw(PAGE.side, y + space("s-4"));
  }, "Pagination");
}
