import { z } from "zod";
import { INSTANT } from "../../../surfaces/openapi/members.ts";
import { pageOf } from "../../../surfaces/openapi/resources.ts";
import { type Formats, objectOf, type Schema } from "../../../surfaces/openapi/schema.ts";

/** Headings of the paths of documents. */
export const documentTags: Readonly<Record<string, string>> = {
  Documents:
    "PDF documents for envelopes. Their content is stored encrypted and is checked before anyone can use it. The storage itself is never exposed: a download is a signed link that expires after a few minutes.",
};

const length = (description: string) => z.number().gt(0).meta({ description });

const page = z
  .object({
    width: length("Width as displayed, in points (1/72 inch)."),
    height: length("Height as displayed, in points."),
  })
  .meta({ title: "DocumentPage", description: "A page of a document." });

/** Formats of columns. */
export const documentFormats: Formats = { pages: z.array(page).max(2000) };

/** Schemas of answers. @param document the row of a document */
export const documentSchemas = (document: Schema): Readonly<Record<string, Schema>> => ({
  Document: document,
  DocumentDownload: {
    description: "A link to the content of a document.",
    ...objectOf({
      url: { type: "string", format: "uri", description: "The link. Keep it secret." },
      expires_at: { ...INSTANT, description: "When the link expires (UTC): at most five minutes from now." },
    }),
  },
  DocumentPage: pageOf("Document", "A page of documents."),
});
