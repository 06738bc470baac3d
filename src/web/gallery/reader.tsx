/** The script of /dev/reader. */
import { type ReactElement, StrictMode, useCallback, useState } from "react";
import { createRoot } from "react-dom/client";
import { languageOfDocument } from "../shell/language.ts";
import { DocumentReader, preloadReader, type ReadDocument } from "../sign/reader/document-reader.tsx";
import type { Signature } from "../sign/reader/drawing.ts";
import { FieldPanel } from "../sign/reader/field-panel.tsx";
import { completionOf, type Field, type Values } from "../sign/reader/fields.ts";
import { SignatureInput } from "../sign/reader/signature-input.tsx";
import { httpSource } from "../sign/reader/source.ts";
import { en } from "../sign/reader/words-en.ts";
import { ptBr } from "../sign/reader/words-pt-br.ts";
import "../sign/reader/reader.css";

/** What is shown. A test, or a developer in the console, puts another one into the storage of the session. */
interface Stage {
  readonly documents: readonly (ReadDocument & { readonly address: string })[];
  readonly fields: readonly Field[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly knownCpf?: string | null;
  readonly name?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

/** The key of the storage. */
const STAGE = "selo.reader-stage";

const place = {
  document_id: "contract",
  page: 1,
  required: true,
  condition_field_id: null,
  condition_trigger: null,
  label: null,
  formula: null,
};
const SAMPLE: Stage = {
  documents: [
    {
      id: "contract",
      filename: "contract.pdf",
      page_sizes: [{ width: 595.28, height: 841.89 }],
      address: "/sample/contract.pdf",
    },
  ],
  fields: [
    { ...place, id: "text", type: "texto", x: 0.35, y: 0.5, width: 0.4, height: 0.03 },
    { ...place, id: "box", type: "checkbox", required: false, x: 0.35, y: 0.55, width: 0.04, height: 0.028 },
    {
      ...place,
      id: "animal",
      type: "texto",
      condition_field_id: "box",
      condition_trigger: "checked",
      x: 0.45,
      y: 0.55,
      width: 0.3,
      height: 0.028,
    },
    { ...place, id: "number", type: "numero", x: 0.35, y: 0.6, width: 0.25, height: 0.03 },
    { ...place, id: "pick", type: "checkbox", x: 0.65, y: 0.6, width: 0.04, height: 0.028 },
    { ...place, id: "number-of-person", type: "cpf", x: 0.35, y: 0.65, width: 0.3, height: 0.03 },
    { ...place, id: "date", type: "data", x: 0.35, y: 0.7, width: 0.25, height: 0.03 },
    { ...place, id: "signature", type: "assinatura", x: 0.35, y: 0.75, width: 0.4, height: 0.08 },
  ],
};

function Gallery({ stage }: { readonly stage: Stage }): ReactElement {
  const words = languageOfDocument() === "pt-BR" ? ptBr : en;
  const [values, setValues] = useState<Values>({});
  const [errors, setErrors] = useState(stage.errors ?? {});
  const [current, setCurrent] = useState<string | null>(null);
  const [page, setPage] = useState<{ documentId: string; number: number } | null>(null);
  const [signature, setSignature] = useState<Signature | null>(null);
  const [events, setEvents] = useState<readonly string[]>([]);
  const note = useCallback((event: string) => setEvents((before) => [...before, event]), []);
  const { documents, fields, knownCpf = null, name = "Marina Costa de Oliveira", headers } = stage;
  const source = useCallback(
    (id: string) => {
      const address = documents.find((each) => each.id === id)?.address ?? "";
      return httpSource((range) => fetch(address, { headers: { ...headers, ...range } }));
    },
    [documents, headers],
  );
  return (
    <>
      <h1>Reader</h1>
      <section aria-label="Signature">
        <SignatureInput
          name={name}
          value={signature}
          onValue={setSignature}
          words={words}
          error={stage.errors?.["signature"] ?? null}
        />
      </section>
      <div className="reading">
        <DocumentReader
          documents={documents}
          source={source}
          fields={fields}
          values={values}
          knownCpf={knownCpf}
          current={current}
          onField={setCurrent}
          words={words}
          onRead={() => note("read")}
          onPage={(documentId, number) => setPage({ documentId, number })}
        />
        <FieldPanel
          fields={fields}
          documentIds={documents.map(({ id }) => id)}
          values={values}
          errors={errors}
          knownCpf={knownCpf}
          current={current}
          page={page}
          onValue={(key, value) => {
            setValues({ ...values, [key]: value });
            const { [key]: _, ...others } = errors;
            setErrors(others);
          }}
          onCurrent={setCurrent}
          onFile={async (fieldId, file) => {
            setValues({ ...values, [fieldId]: file.name });
            return null;
          }}
          onDone={() => note("done")}
          words={words}
        />
      </div>
      {/* What the page would send, for tests. */}
      <output
        id="given"
        hidden
        data-request={JSON.stringify({ signature, ...completionOf(fields, values, knownCpf) })}
        data-events={events.join(" ")}
      />
    </>
  );
}

/** Shows the components in the page. */
export function showReader(root: HTMLElement): void {
  preloadReader();
  const kept = sessionStorage.getItem(STAGE);
  const stage = kept === null ? SAMPLE : (JSON.parse(kept) as Stage);
  createRoot(root).render(
    <StrictMode>
      <Gallery stage={stage} />
    </StrictMode>,
  );
}
