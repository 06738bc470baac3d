import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Icon } from "../../design/icon.tsx";
import { FieldMark } from "./field-mark.tsx";
import { askedFields, type Field, inReadingOrder, shownFields, type Values } from "./fields.ts";
import { fillIn } from "./fill-in.ts";
import { usePagesInView } from "./pages-in-view.ts";
import type { Pdf } from "./pdf.ts";
import { PdfPage } from "./pdf-page.tsx";
import { useSharpness } from "./sharpness.ts";
import { Sign } from "./signs.tsx";
import { type DocumentSource, readWhole } from "./source.ts";
import type { ReaderWords } from "./words.ts";

/** A document, as `GET /signing/{participant_id}` answers it. */
export interface ReadDocument {
  readonly id: string;
  readonly filename: string;
  /** Size of each page as it is displayed, in points. */
  readonly page_sizes: readonly { readonly width: number; readonly height: number }[];
}

export interface DocumentReaderProps {
  readonly documents: readonly ReadDocument[];
  /** Where a document comes from, in parts: `httpSource` makes one of a request. Called once for each document and each new try. One function for the life of the page. */
  readonly source: (documentId: string) => DocumentSource;
  /** All fields of the participant. */
  readonly fields: readonly Field[];
  readonly values: Values;
  /** The participant's CPF, masked; null where it is not known and a field asks for it. */
  readonly knownCpf: string | null;
  /** The field that is being filled in; the reader scrolls to it. */
  readonly current: string | null;
  readonly onField: (fieldId: string) => void;
  readonly words: ReaderWords;
  /** Called once, when the end of the last document was seen. */
  readonly onRead?: () => void;
  /** Called with the id of the document and the number of the page in the middle of the screen. */
  readonly onPage?: (documentId: string, page: number) => void;
}

const loadPdf = () => import("./pdf.ts");

/** Loads what draws PDFs, and starts its thread, before the reader is shown. */
export function preloadReader(): void {
  // The reader tries again, and says what is wrong.
  loadPdf().then(
    ({ prepare }) => prepare(),
    () => {},
  );
}

/** Steps of the width of a page; at 1 it fits. */
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;
const FITS = ZOOMS.indexOf(1);

/** All pages of all documents, one below the other, with the fields of the participant where they lie. */
export function DocumentReader(props: DocumentReaderProps): ReactElement {
  const { documents, source, fields, values, knownCpf, current, onField, words, onRead, onPage } = props;
  const room = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [zoom, setZoom] = useState<number>(FITS);
  const [isMissed, setMissed] = useState(false);
  const sharpness = useSharpness();
  const { near, middle, watch } = usePagesInView();

  const names = useMemo(
    () => documents.flatMap(({ id, page_sizes }) => page_sizes.map((_, index) => ({ id, page: index + 1 }))),
    [documents],
  );
  const found = names.findIndex(({ id, page }) => nameOf(id, page) === middle);
  const place = Math.max(0, found);
  const shown = names[place];
  const document = documents.find(({ id }) => id === shown?.id);

  useEffect(() => {
    if (room.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(room.current);
    return () => observer.disconnect();
  }, []);

  const paged = useRef(onPage);
  paged.current = onPage;
  const [shownId, shownPage] = [shown?.id, shown?.page];
  useEffect(() => {
    if (shownId !== undefined && shownPage !== undefined) paged.current?.(shownId, shownPage);
  }, [shownId, shownPage]);

  // Pages have no height before their width is known.
  const isLaid = width > 0;
  const read = useRef(onRead);
  read.current = onRead;
  useEffect(() => {
    if (end.current === null || !isLaid) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      read.current?.();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isLaid]);

  useEffect(() => {
    if (current === null || !isLaid) return;
    const mark = room.current?.querySelector(`[data-field="${CSS.escape(current)}"]`);
    mark?.scrollIntoView({ block: "center", inline: "center", behavior: behavior() });
  }, [current, isLaid]);

  const go = (to: number) => {
    const target = names[to];
    if (target === undefined) return;
    room.current
      ?.querySelector(`[data-page="${CSS.escape(nameOf(target.id, target.page))}"]`)
      ?.scrollIntoView({ block: "start", behavior: behavior() });
  };
  const download = async ({ id, filename }: ReadDocument) => {
    setMissed(false);
    try {
      save(await readWhole(source(id)), filename);
    } catch {
      setMissed(true);
    }
  };

  const all = useMemo(() => {
    const ordered = inReadingOrder(
      fields,
      documents.map(({ id }) => id),
    );
    const numbers = new Map(
      askedFields(ordered, values, knownCpf).map(({ id, type }, index) => [type === "cpf" ? "cpf" : id, index + 1]),
    );
    return shownFields(ordered, values).map((field) => ({
      field,
      number: numbers.get(field.type === "cpf" ? "cpf" : field.id) ?? null,
    }));
  }, [documents, fields, values, knownCpf]);

  const { reader } = words;
  const percent = (ZOOMS[zoom] ?? 1) * 100;
  return (
    <div className="reader">
      <div className="reader-bar" role="toolbar" aria-label={reader.toolbar}>
        <button
          type="button"
          className="tool"
          aria-label={reader.previousPage}
          aria-disabled={place === 0}
          onClick={() => go(place - 1)}
        >
          <Sign name="back" />
        </button>
        <b>{fillIn(reader.page, { page: place + 1, pages: names.length })}</b>
        <button
          type="button"
          className="tool"
          aria-label={reader.nextPage}
          aria-disabled={place >= names.length - 1}
          onClick={() => go(place + 1)}
        >
          <Sign name="on" />
        </button>
        <span className="reader-gap" />
        <button
          type="button"
          className="tool"
          aria-label={reader.smaller}
          aria-disabled={zoom === 0}
          onClick={() => setZoom(Math.max(0, zoom - 1))}
        >
          <Sign name="smaller" />
        </button>
        <button
          type="button"
          className="tool"
          aria-label={reader.larger}
          aria-disabled={zoom === ZOOMS.length - 1}
          onClick={() => setZoom(Math.min(ZOOMS.length - 1, zoom + 1))}
        >
          <Sign name="larger" />
        </button>
        <span className="out-of-sight" role="status">
          {zoom === FITS ? "" : fillIn(reader.zoom, { percent })}
        </span>
        {document === undefined ? null : (
          <button
            type="button"
            className="tool"
            aria-label={fillIn(reader.download, { file: document.filename })}
            onClick={() => void download(document)}
          >
            <Sign name="download" />
          </button>
        )}
      </div>
      {isMissed ? (
        <p className="reader-fault field-error" role="alert">
          <Icon tone="bad" />
          <span>{reader.notDownloaded}</span>
        </p>
      ) : null}
      <div ref={room} className="sheets" tabIndex={zoom > FITS ? 0 : undefined}>
        {documents.map((each) => (
          <DocumentPages
            key={each.id}
            document={each}
            source={source}
            width={Math.floor((width * percent) / 100)}
            sharpness={sharpness}
            near={near}
            watch={watch}
            isNamed={documents.length > 1}
            words={words}
            onDownload={() => void download(each)}
            marks={(page, size) => {
              const here = all.filter(({ field }) => field.document_id === each.id && field.page === page);
              const beside = here.map(({ field }) => field);
              return here.map(({ field, number }) => (
                <FieldMark
                  key={field.id}
                  field={field}
                  number={number}
                  beside={beside}
                  values={values}
                  knownCpf={knownCpf}
                  isCurrent={field.id === current}
                  {...size}
                  words={words}
                  onField={onField}
                />
              ));
            }}
          />
        ))}
        <div ref={end} className="reader-end" />
      </div>
    </div>
  );
}

interface DocumentPagesProps {
  readonly document: ReadDocument;
  readonly source: (documentId: string) => DocumentSource;
  readonly width: number;
  readonly sharpness: number;
  readonly near: ReadonlySet<string>;
  readonly watch: (page: HTMLElement) => () => void;
  readonly isNamed: boolean;
  readonly words: ReaderWords;
  readonly onDownload: () => void;
  readonly marks: (page: number, size: { readonly width: number; readonly height: number }) => readonly ReactElement[];
}

/** The pages of one document. It is opened when one of them is near. */
function DocumentPages(props: DocumentPagesProps): ReactElement {
  const { document, source, width, sharpness, near, watch, words, marks } = props;
  const { id, filename, page_sizes: pages } = document;
  const [pdf, setPdf] = useState<Pdf | null>(null);
  const [fault, setFault] = useState<"unreachable" | "unreadable" | null>(null);
  const [tries, setTries] = useState(1);
  const isWanted = pages.some((_, index) => near.has(nameOf(id, index + 1)));
  const [wasWanted, setWanted] = useState(false);
  if (isWanted && !wasWanted) setWanted(true);

  const fail = useCallback((error: unknown) => {
    setPdf(null);
    setFault(error instanceof Error && error.name === "Unreachable" ? "unreachable" : "unreadable");
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try opens the document anew
  useEffect(() => {
    if (!wasWanted) return;
    let isOver = false;
    let opened: Pdf | null = null;
    const open = async () => {
      // The scripts may be out of reach, too.
      const module = await loadPdf().catch((cause) => {
        throw Object.assign(new Error("the reader cannot be loaded", { cause }), { name: "Unreachable" });
      });
      opened = await module.Pdf.open(source(id));
      if (isOver) opened.close();
      else setPdf(opened);
    };
    open().catch((error: unknown) => {
      if (!isOver) fail(error);
    });
    return () => {
      isOver = true;
      opened?.close();
    };
  }, [wasWanted, source, id, tries, fail]);

  const { reader } = words;
  return (
    <section className="sheets-of" aria-label={filename}>
      {props.isNamed ? (
        <h2 className="sheets-name">
          <bdi>{filename}</bdi>
        </h2>
      ) : null}
      {fault === null ? null : (
        <div className="reader-fault" role="alert">
          <p className="field-error">
            <Icon tone="bad" />
            <span>{fillIn(reader[fault], { file: filename })}</span>
          </p>
          <p className="row">
            <button
              type="button"
              className="button slim"
              onClick={() => {
                setFault(null);
                setTries(tries + 1);
              }}
            >
              {reader.again}
            </button>
            <button type="button" className="button slim" onClick={props.onDownload}>
              {fillIn(reader.downloadFile, { file: filename })}
            </button>
          </p>
        </div>
      )}
      {width > 0
        ? pages.map((page, index) => {
            const number = index + 1;
            const size = { width, height: Math.round((width * page.height) / page.width) };
            return (
              <PdfPage
                key={number}
                name={nameOf(id, number)}
                label={fillIn(reader.pageOfDocument, { file: filename, page: number, pages: pages.length })}
                number={number}
                pdf={pdf}
                isNear={near.has(nameOf(id, number))}
                {...size}
                sharpness={sharpness}
                loading={reader.loading}
                unreadable={reader.unreadablePage}
                watch={watch}
                onFault={fail}
              >
                {marks(number, size)}
              </PdfPage>
            );
          })
        : null}
    </section>
  );
}

const nameOf = (documentId: string, page: number): string => `${documentId}/${page}`;

function behavior(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/** Hands a file to the browser's downloads. */
function save(bytes: Uint8Array<ArrayBuffer>, filename: string): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: "application/pdf" }));
  const link = Object.assign(window.document.createElement("a"), { href: address, download: filename });
  link.click();
  // Not at once: some browsers read it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
