import path from "node:path";
import type { Page } from "playwright-core";
import { guidePages } from "../../../src/surfaces/web/build-guides.ts";
import { productFacts } from "../../support/service-facts.ts";
import type { SiteStage } from "./stage.ts";
import type { State, States } from "./state.ts";

type SiteState = State<SiteStage>;

const guides = [...guidePages(path.resolve(import.meta.dirname, "../../..")).keys()];
/** The guide whose controls are walked through. */
const WALKED_GUIDE = "/guides/graphql";

/** Faults of the last days, as rows of platform.faults, of a deployment that records them for so many days. */
const withFaults =
  (days: number, rows: readonly string[]) =>
  async (_page: Page, { selo }: SiteStage): Promise<void> => {
    await selo.database.admin.query(
      `delete from platform.faults; delete from platform.fault_watch;
       insert into platform.fault_watch (since, seen_at) values (now() - interval '${days} days', now())`,
    );
    for (const row of rows)
      await selo.database.admin.query(
        `insert into platform.faults (component, extent, began_at, ended_at) values ${row}`,
      );
  };

const PAGES: States<SiteState> = {
  landing: { path: () => "/", shown: "main h1", mockup: { "pt-BR": "landing", en: "landing-en" }, walked: true },
  // The list of keys comes later.
  trust: { path: () => "/trust", shown: "#key-list:not(:has(.blank)) dt", walked: true },
  status: { path: () => "/status", shown: "main h1", before: withFaults(1, []), walked: true },
  "status-faults": {
    path: () => "/status",
    shown: "main .outcomes time",
    before: withFaults(10, [
      "('storage', 'part', now() - interval '65 minutes', null)",
      "('nameservers', 'whole', now() - interval '3 days 20 minutes', now() - interval '3 days')",
      "('service', 'whole', now() - interval '8 days 2 hours', now() - interval '8 days')",
    ]),
  },
  nowhere: { path: () => "/nowhere", shown: "main h1", status: 404, walked: true },
  ...Object.fromEntries(
    guides.map((url): [string, SiteState] => [
      url.slice(1).replace("/", "-"),
      {
        path: () => url,
        shown: "main h1",
        languages: ["en"],
        mockup: { en: "guide" },
        ...(["/guides", WALKED_GUIDE].includes(url) ? { walked: true } : {}),
      },
    ]),
  ),
};

const TOOLS: States<SiteState> = {
  docs: { path: () => "/docs", shown: "h1", languages: ["en"] },
  ...Object.assign({}, ...productFacts.map(({ siteStates }) => siteStates)),
  graphiql: {
    path: () => "/graphiql",
    shown: ".graphiql-container",
    languages: ["en"],
    foreign: [".graphiql-container"],
  },
  "dev-inbox": { path: () => "/dev/inbox", shown: "h1", languages: ["en"] },
  "dev-inbox-mail": { path: ({ mail }) => `/dev/inbox/${mail}`, shown: "h1", languages: ["en"] },
  "dev-design": { path: () => "/dev/design", shown: "main h1", languages: ["en"], walked: true },
};

/** Pages that are rendered at the build, and tools for developers. */
export const SITE_STATES: States<SiteState> = { ...PAGES, ...TOOLS };
