// Pages as the signing page draws them.
import type { Browser, Page } from "playwright-core";
import { Document } from "../../../src/adapters/pdf-check/child/document.ts";
import { pageSizes } from "../../../src/adapters/pdf-check/child/page-tree.ts";
import type { PageImage } from "../../adapters/pdf-seal/page-image.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { SHADES } from "./pdfjs-viewer.ts";
import { drawn, openReader } from "./reader-stage.ts";

/** The first page of each of these files. */
export async function bySigningPage(
  browser: Browser,
  selo: Pick<TestGateway, "baseUrl">,
  files: readonly Buffer[],
): Promise<PageImage[]> {
  const documents = files.map((file, index) => {
    const id = nameOf(index);
    const page_sizes = pageSizes(new Document(file), Number.POSITIVE_INFINITY).slice(0, 1);
    return { id, filename: `${id}.pdf`, page_sizes, address: `/dev/reader/${id}.pdf` };
  });
  const content = Object.fromEntries(files.map((file, index) => [nameOf(index), file]));
  const watched = await openReader(browser, selo, { documents, fields: [] }, content);
  const pictures: PageImage[] = [];
  for (const { id } of documents) {
    await watched.page.locator(`[data-page="${id}/1"]`).scrollIntoViewIfNeeded();
    await drawn(watched.page, 1, id);
    pictures.push(await pictureOf(watched.page, id));
  }
  await watched.close();
  return pictures;
}

/** In letters alone, as addresses of /dev/reader are. */
const nameOf = (index: number): string => String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26));

async function pictureOf(page: Page, id: string): Promise<PageImage> {
  const { across, down, shades } = await page.evaluate<PageImage & { readonly shades: string }>(`(() => {
    const canvas = document.querySelector('[data-page="${id}/1"] canvas');
    const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return { across: width, down: height, shades: (${SHADES})(data) };
  })()`);
  return { across, down, shades: Buffer.from(shades, "base64") };
}
