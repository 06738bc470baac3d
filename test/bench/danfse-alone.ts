/** Its own process that does nothing but draw the DANFSe of one NFS-e (a file): the limit of DANFSe per second. */
import fs from "node:fs";
import { danfseContent } from "../../src/adapters/pdf/danfse-content.ts";
import { PdfRenderer } from "../../src/adapters/pdf/pdf-renderer.ts";

const [milliseconds, file = ""] = process.argv.slice(2);
const content = danfseContent(fs.readFileSync(file, "utf8"), { environment: "live", canceledAt: null });
const renderer = new PdfRenderer();
// The first reads the fonts.
for (let drawn = 0; drawn < 20; drawn++) await renderer.render(content);
const started = performance.now();
let drawn = 0;
while (performance.now() - started < Number(milliseconds)) {
  await renderer.render(content);
  drawn++;
}
console.log(drawn / ((performance.now() - started) / 1_000));
await renderer.close();
