import type { StaticPage } from "../site/static-page.ts";

/** The reader, the panel of fields and the signature at work: /dev/reader, for people who develop. */
export const readerPage: StaticPage = {
  name: "reader",
  path: null, // served by designPlugin, in development only
  languages: ["en", "pt-BR"],
  isPrivate: true,
  title: () => "Reader · Selo",
  description: () => "The reader of PDFs, the panel of fields and the signature, with a sample",
  content: () => <div id="reader-gallery" className="page" />,
};
