/** The thread that reads PDFs. Of pdf.js' two builds this is the one for older browsers: signers bring old phones. */
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
