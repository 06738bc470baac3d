/** Everything that touches pdf.js, loaded when the first document is opened. */
import {
  AnnotationMode,
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  RenderingCancelledException,
  TextLayer,
  VerbosityLevel,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import { type Annotation, drawBare, valueToDraw } from "./no-appearance.ts";
import { PdfFiles } from "./pdf-files.ts";
import type { DocumentSource } from "./source.ts";

/** The begin of a document, which comes with the first request. */
const FIRST_BYTES = 65_536;
/** A drawn page holds four bytes for each pixel. Beyond this a page is less sharp than the screen. */
const MOST_PIXELS = 8_000_000;
/** Larger pictures in a PDF are made smaller in the thread. */
const MOST_BYTES_OF_A_PICTURE = 64 * 1024 * 1024;

/** The parts of a document could not be had: perhaps they can be later. A PDF that cannot be read is another error. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

let worker: PDFWorker | null = null;

/** Starts the thread, so that it is there when the first document comes. */
export function prepare(): PDFWorker {
  if (worker === null || worker.destroyed)
    worker = PDFWorker.create({
      port: new Worker(new URL("./pdf-worker.ts", import.meta.url), { type: "module" }),
      verbosity: VerbosityLevel.ERRORS,
    });
  return worker;
}

/** Hands pdf.js the parts that it asks for. */
class Parts extends PDFDataRangeTransport {
  readonly #source: DocumentSource;
  readonly #onFault: () => void;

  constructor(source: DocumentSource, size: number, first: Uint8Array<ArrayBuffer>, onFault: () => void) {
    super(size, first);
    this.#source = source;
    this.#onFault = onFault;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#source.range(begin, end).then(({ bytes }) => this.onDataRange(begin, bytes), this.#onFault);
  }
}

/** An open document. */
export class Pdf {
  readonly #document: PDFDocumentProxy;
  readonly #task: PDFDocumentLoadingTask;
  /** Rejects as soon as a part cannot be had; pdf.js would wait for it without end. */
  readonly #broken: Promise<never>;

  private constructor(document: PDFDocumentProxy, task: PDFDocumentLoadingTask, broken: Promise<never>) {
    this.#document = document;
    this.#task = task;
    this.#broken = broken;
  }

  /** @throws Unreachable, or an error of pdf.js for what it cannot read */
  static async open(source: DocumentSource): Promise<Pdf> {
    const first = await source.range(0, FIRST_BYTES).catch((cause) => {
      throw new Unreachable("the document cannot be had", { cause });
    });
    let breakOff: (fault: Unreachable) => void = () => {};
    const broken = new Promise<never>((_, reject) => {
      breakOff = reject;
    });
    broken.catch(() => {});
    const isWhole = first.bytes.length === first.size;
    const task = getDocument({
      worker: prepare(),
      ...(isWhole
        ? { data: first.bytes }
        : {
            range: new Parts(source, first.size, first.bytes, () =>
              breakOff(new Unreachable("a part of the document cannot be had")),
            ),
          }),
      // Only what is shown is loaded.
      disableAutoFetch: true,
      disableStream: true,
      verbosity: VerbosityLevel.ERRORS,
      canvasMaxAreaInBytes: MOST_BYTES_OF_A_PICTURE,
      BinaryDataFactory: PdfFiles,
      useWorkerFetch: false,
      disableWorkerRendering: true,
    });
    try {
      return new Pdf(await Promise.race([task.promise, broken]), task, broken);
    } catch (error) {
      void task.destroy();
      throw error;
    }
  }

  /** Lets go of everything. */
  close(): void {
    void this.#task.destroy();
  }

  /**
   * Draws a page.
   * @param number from 1
   * @param width of the canvas in pixels; a page of many pixels is drawn with fewer
   * @returns null where `signal` aborted
   * @throws Unreachable, or an error of pdf.js
   */
  async draw(number: number, width: number, signal: AbortSignal): Promise<HTMLCanvasElement | null> {
    const page = await this.#page(number);
    if (signal.aborted) return null;
    const natural = page.getViewport({ scale: 1 });
    const wanted = width / natural.width;
    const most = Math.sqrt(MOST_PIXELS / (natural.width * natural.height));
    const viewport = page.getViewport({ scale: Math.min(wanted, most) });
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    const annotations = await this.#giveValues(page);
    const task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE_STORAGE });
    const cancel = () => task.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      await Promise.race([task.promise, this.#broken]);
      drawBare(canvas, viewport, annotations);
      return canvas;
    } catch (error) {
      free(canvas);
      if (error instanceof RenderingCancelledException) return null;
      task.cancel();
      throw error;
    } finally {
      signal.removeEventListener("abort", cancel);
      if (signal.aborted) page.cleanup();
    }
  }

  /** Readers draw the value of a form field that has no appearance; pdf.js draws one that it is given. */
  async #giveValues(page: PDFPageProxy): Promise<readonly Annotation[]> {
    const annotations: readonly Annotation[] = await Promise.race([page.getAnnotations(), this.#broken]);
    for (const each of annotations) {
      const value = valueToDraw(each);
      if (value !== undefined) this.#document.annotationStorage.setValue(each.id, { value });
    }
    return annotations;
  }

  /** Lays the text of a page over its picture, for selection and for screen readers. */
  async layText(number: number, layer: HTMLElement, signal: AbortSignal): Promise<void> {
    const page = await this.#page(number);
    if (signal.aborted) return;
    const viewport = page.getViewport({ scale: layer.clientWidth / page.getViewport({ scale: 1 }).width });
    const text = new TextLayer({ textContentSource: page.streamTextContent(), container: layer, viewport });
    signal.addEventListener("abort", () => text.cancel(), { once: true });
    await Promise.race([text.render(), this.#broken]).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }

  /** How many pixels of the screen a unit of the page has where the page is so wide. */
  async scaleOf(number: number, width: number): Promise<number> {
    const { rotation, rawDims } = (await this.#page(number)).getViewport({ scale: 1 });
    const { pageWidth, pageHeight } = rawDims as { pageWidth: number; pageHeight: number };
    return width / (rotation % 180 === 0 ? pageWidth : pageHeight);
  }

  #page(number: number): Promise<PDFPageProxy> {
    return Promise.race([this.#document.getPage(number), this.#broken]);
  }
}

/** Some browsers keep the memory of a canvas until it has no pixels. */
export function free(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}
