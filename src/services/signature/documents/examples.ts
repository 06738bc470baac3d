import type { ExampleRequest } from "../../../surfaces/openapi/examples/example-request.ts";
import { UNKNOWN_ID } from "../../../surfaces/openapi/examples/files.ts";

/** A PDF of one page in A4, as text: ISO 32000-2, 7.5. */
function pdfOf(catalog: string): string {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog}>>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
  ];
  let file = "%PDF-1.7\n";
  let table = "xref\n0 4\n0000000000 65535 f \n";
  for (const [index, object] of objects.entries()) {
    table += `${String(file.length).padStart(10, "0")} 00000 n \n`;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  return `${file}${table}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}

/** A PDF of one page. */
export const CONTRACT = { name: "contract-14.pdf", text: pdfOf("") };
const WITH_JAVASCRIPT = { name: "form.pdf", text: pdfOf("/OpenAction << /S /JavaScript /JS (print\\(\\)) >> ") };

export const documentExamples: readonly ExampleRequest[] = [
  { operation: "uploadDocument", name: "pdf", summary: "A PDF", caller: "live", form: { file: CONTRACT } },
  {
    operation: "uploadDocument",
    name: "test",
    summary: "A PDF in the test environment",
    caller: "test",
    form: { file: CONTRACT },
  },
  {
    operation: "uploadDocument",
    name: "with_javascript",
    summary: "A PDF with JavaScript: it is quarantined",
    caller: "live",
    form: { file: WITH_JAVASCRIPT },
  },
  {
    operation: "uploadDocument",
    name: "no_pdf",
    summary: "A file that is not a PDF",
    caller: "live",
    form: { file: { name: "contract-14.txt", text: "Contract 14\n" } },
  },
  {
    operation: "listDocuments",
    name: "newest",
    summary: "The newest documents, with chosen members",
    caller: "live",
    path: "/documents?limit=2&fields=id,filename,status",
  },
  {
    operation: "getDocument",
    name: "document",
    summary: "A document",
    caller: "live",
    path: "/documents/{uploadDocument.pdf.id}",
  },
  {
    operation: "getDocument",
    name: "other_environment",
    summary: "A live document, requested with a test token",
    caller: "test",
    path: "/documents/{uploadDocument.pdf.id}",
  },
  {
    operation: "downloadDocument",
    name: "link",
    summary: "A link to the content",
    caller: "live",
    path: "/documents/{uploadDocument.pdf.id}/download",
  },
  {
    operation: "downloadDocument",
    name: "quarantined",
    summary: "A document that is not ready",
    caller: "live",
    path: "/documents/{uploadDocument.with_javascript.id}/download",
  },
  {
    operation: "deleteDocument",
    name: "document",
    summary: "A document that no envelope uses",
    caller: "live",
    path: "/documents/{uploadDocument.with_javascript.id}",
  },
  {
    operation: "deleteDocument",
    name: "no_such_document",
    summary: "An id that no document has",
    caller: "live",
    path: `/documents/${UNKNOWN_ID}`,
  },
];
