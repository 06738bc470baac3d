/** What some PDFs need beside themselves: maps of Asian characters, stand-ins for the 14 standard fonts, decoders of scans. Each is loaded when a PDF asks for it. */
const addresses = new Map(
  Object.entries(
    import.meta.glob<string>(
      [
        "../../../../node_modules/pdfjs-dist/cmaps/*.bcmap",
        "../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}",
        "../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm",
      ],
      { query: "?url", import: "default", eager: true },
    ),
  ).map(([path, address]) => [path.slice(path.lastIndexOf("/") + 1), address]),
);

/** How pdf.js gets such a file. */
export class PdfFiles {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const address = addresses.get(filename);
    if (address === undefined) throw new Error(`there is no file ${filename}`);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${filename} is not there`);
    return new Uint8Array(await response.arrayBuffer());
  }
}
