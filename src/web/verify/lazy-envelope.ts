import { lazy } from "react";

/** Loads the part of the page about envelopes, with its words: most visitors verify a proof. */
export const loadEnvelopePage = () => import("./envelope/envelope-page.tsx");
export const EnvelopePage = lazy(async () => ({ default: (await loadEnvelopePage()).EnvelopePage }));
