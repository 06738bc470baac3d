/** The tags of a page (ISO 32000-1 §14.8): what screen readers read, in the order of the page. */

/** Left, top, right, bottom. */
type Box = readonly [number, number, number, number];
type Draw = () => void;

export class Structure {
  readonly #document: PDFKit.PDFDocument;
  readonly #root: PDFKit.PDFStructureElement;

  constructor(document: PDFKit.PDFDocument) {
    this.#document = document;
    this.#root = document.struct("Document");
    document.addStructure(this.#root);
  }

  text(tag: "H1" | "H2" | "P", draw: Draw): void {
    this.#root.add(this.#document.struct(tag, {}, [draw]));
  }

  figure(alt: string, bbox: Box, draw: Draw): void {
    const options = { alt, bbox: [...bbox] as [number, number, number, number] };
    this.#root.add(this.#document.struct("Figure", options, [draw]));
  }

  /** A paragraph that is a link: x, y, width and height of what can be clicked. */
  link(address: string, [x, y, width, height]: Box, draw: Draw): void {
    const link = this.#document.struct("Link", {}, [
      () => {
        draw();
        // pdfkit writes a `string` as a PDF name, and a `String` as a PDF string. Its types do not know that.
        const options = { structParent: link, Contents: new String(address) } as object;
        this.#document.link(x, y, width, height, address, options);
      },
    ]);
    const paragraph = this.#document.struct("P");
    this.#root.add(paragraph);
    paragraph.add(link).end();
  }

  table() {
    const document = this.#document;
    const table = document.struct("Table");
    this.#root.add(table);
    return {
      row(heading: Draw, values: readonly Draw[]) {
        const row = document.struct("TR");
        table.add(row);
        row.add(document.struct("TH", { scope: "Row" } as PDFKit.Mixins.StructureElementOptions, [heading]));
        const value = document.struct("TD");
        row.add(value);
        for (const draw of values) value.add(document.struct("P", {}, [draw]));
        row.end();
      },
      end: () => table.end(),
    };
  }

  list() {
    const document = this.#document;
    const list = document.struct("L");
    this.#root.add(list);
    return {
      item(label: Draw, body: Draw) {
        const item = document.struct("LI");
        list.add(item);
        item.add(document.struct("Lbl", {}, [label]));
        item.add(document.struct("LBody", {}, [body])).end();
      },
      end: () => list.end(),
    };
  }

  /** What only decorates, and is not read. */
  artifact(draw: Draw, type: "Layout" | "Pagination" = "Layout"): void {
    this.#document.markContent("Artifact", { type });
    draw();
    this.#document.endMarkedContent();
  }

  end(): void {
    this.#root.end();
  }
}
