import type { ServicePages } from "../../surfaces/web/service-pages.ts";

/** The dashboard: one page whose script has its own routes. No cache keeps it, because mailed links open it. */
export const accountPages: ServicePages = {
  list: [
    { path: "/app", isPrivate: true },
    { path: "/app/*", isPrivate: true },
  ],
  needs: {},
};
