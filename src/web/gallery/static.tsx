import type { StaticPage } from "../site/static-page.ts";
import { gallery } from "./gallery.tsx";
import { readerPage } from "./reader-page.tsx";

export const pages: readonly StaticPage[] = [gallery, readerPage];
