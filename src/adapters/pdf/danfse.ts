import { archivalDocument } from "./archival-document.ts";
import type { DanfseContent } from "./danfse-content.ts";
import { drawDanfse } from "./danfse-pages.ts";
import { fontsFor } from "./fonts.ts";
import { TextSetter } from "./text-setter.ts";

/** Renders a DANFSe: PDF/A-3b, with the NFS-e's XML attached as nfse.xml. The same content gives the same bytes. */
export async function renderDanfse(content: DanfseContent): Promise<Buffer> {
  const fonts = await fontsFor(textsOf(content));
  const about = {
    language: "pt-BR",
    title: `DANFSe ${content.accessKey}`,
    date: new Date(content.processedAt),
    evidence: Buffer.from(content.xml, "utf8"),
    attachment: "XML da NFS-e, assinado",
    file: { name: "nfse.xml", type: "application/xml", relationship: "Source" },
  } as const;
  return archivalDocument(about, (document) => drawDanfse(document, new TextSetter(document, fonts), content));
}

function textsOf({ origin, opening, sections }: DanfseContent): string[] {
  const cells = [...opening, ...sections.flatMap(({ rows }) => rows)].flat();
  return [
    ...origin,
    ...cells.map(({ value }) => value),
    ...sections.flatMap(({ texts }) => texts.flatMap(({ lines }) => lines)),
  ];
}
