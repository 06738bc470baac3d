import path from "node:path";
import type { Page } from "playwright-core";
import { guidePages } from "../../../src/surfaces/web/build-guides.ts";
import { type PageFile, pageFile } from "../web/proofs.ts";
import type { Stage } from "./stage.ts";

export const LANGUAGES = ["en", "pt-BR"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A page in some state: where it is, what is done there, and what shows that the state is reached. */
export interface State {
  readonly path: (stage: Stage) => string;
  /** Files that are dropped onto the page. */
  readonly files?: (stage: Stage) => readonly PageFile[];
  /** Before the page is opened: answers that are held back or replaced. */
  readonly before?: (page: Page) => Promise<void>;
  /** After it was opened. */
  readonly act?: (page: Page) => Promise<void>;
  /** A selector of what must be visible. */
  readonly shown: string;
  /** Both by default. */
  readonly languages?: readonly Language[];
  /** The status of the answer; 200 by default. */
  readonly status?: number;
  /** The mockup beside the picture: a file of it in each language that it is drawn in. */
  readonly mockup?: Partial<Readonly<Record<Language, string>>>;
  /** Selectors of parts that axe does not look at, because packages draw them that we only embed. */
  readonly foreign?: readonly string[];
}

const RECORDS = "**/api/v1/public/proofs/**";
const SETTLED = ".verdict:not([aria-busy='true']) h1";
const verdict = (tone: "ok" | "bad" | "info" | "warn") => `.verdict.${tone} h1`;
const byCode = ({ proof }: Stage) => `/verify/${proof.verification_code}`;
const verify = () => "/verify";

/** Never answers. */
const held = (url: string) => async (page: Page) => {
  await page.route(url, () => {});
};
const answered = (status: number, headers: Record<string, string>) => async (page: Page) => {
  const body = JSON.stringify({ error: { code: "rate_limited", message: "Too many requests." } });
  await page.route(RECORDS, (route) => route.fulfill({ status, headers, contentType: "application/json", body }));
};

export const VERIFY_STATES: Readonly<Record<string, State>> = {
  empty: { path: verify, shown: "main h1", mockup: { "pt-BR": "verify-empty" } },
  loading: {
    path: byCode,
    before: held(RECORDS),
    shown: ".verdict[aria-busy='true']",
    mockup: { "pt-BR": "verify-loading" },
  },
  matches: {
    path: byCode,
    files: ({ file }) => [file],
    shown: verdict("ok"),
    mockup: { "pt-BR": "verify", en: "verify-en" },
  },
  "matches-with-receipt": {
    path: verify,
    files: ({ receipt, file }) => [receipt, file],
    shown: verdict("ok"),
    mockup: { "pt-BR": "verify", en: "verify-en" },
  },
  "receipt-alone": { path: verify, files: ({ receipt }) => [receipt], shown: SETTLED },
  "different-file": {
    path: byCode,
    files: ({ file }) => [pageFile(file.name, "The contract, version 4.")],
    shown: verdict("bad"),
    mockup: { "pt-BR": "verify-different" },
  },
  "receipt-altered": {
    path: verify,
    files: ({ alteredEvidence, file }) => [alteredEvidence, file],
    shown: ".verdict.bad h1",
    mockup: { "pt-BR": "verify-altered" },
  },
  "code-alone": { path: byCode, shown: verdict("info"), mockup: { "pt-BR": "verify-no-file" } },
  "no-such-proof": { path: () => "/verify/0000-0000-0000", shown: SETTLED },
  "file-unknown": { path: verify, files: () => [pageFile("other.txt", "never registered")], shown: SETTLED },
  "code-malformed": {
    path: verify,
    act: async (page) => {
      await page.locator("#code").fill("GNS2-H");
      await page.keyboard.press("Enter");
    },
    shown: "[aria-invalid='true']",
  },
  test: {
    path: ({ testProof }) => `/verify/${testProof.verification_code}`,
    files: ({ file }) => [file],
    shown: ".test-bar",
    mockup: { "pt-BR": "verify-test" },
  },
  unreachable: {
    path: byCode,
    before: async (page) => void (await page.route(RECORDS, (route) => route.abort())),
    shown: SETTLED,
  },
  "service-down": { path: byCode, before: answered(503, {}), shown: SETTLED },
  "too-many-requests": { path: byCode, before: answered(429, { "retry-after": "45" }), shown: SETTLED },
  "other-name": {
    path: byCode,
    files: ({ file }) => [{ ...file, name: "scan-0001.pdf" }],
    shown: SETTLED,
  },
  hashing: {
    path: byCode,
    // The thread that hashes never starts.
    before: held("**/assets/worker-*.js"),
    files: ({ file }) => [file],
    shown: "progress, [role='progressbar']",
  },
  hostile: {
    path: ({ hostileProof }) => `/verify/${hostileProof.verification_code}`,
    files: ({ hostileFile }) => [hostileFile],
    shown: verdict("ok"),
  },
};

const guides = [...guidePages(path.resolve(import.meta.dirname, "../../..")).keys()];

export const SITE_STATES: Readonly<Record<string, State>> = {
  landing: { path: () => "/", shown: "main h1", mockup: { "pt-BR": "landing", en: "landing-en" } },
  trust: { path: () => "/trust", shown: "main h1" },
  status: { path: () => "/status", shown: "main h1" },
  nowhere: { path: () => "/nowhere", shown: "main h1", status: 404 },
  ...Object.fromEntries(
    guides.map((url): [string, State] => [
      url.slice(1).replace("/", "-"),
      { path: () => url, shown: "main h1", languages: ["en"], mockup: { en: "guide" } },
    ]),
  ),
};

export const TOOL_STATES: Readonly<Record<string, State>> = {
  docs: { path: () => "/docs", shown: "h1", languages: ["en"] },
  graphiql: {
    path: () => "/graphiql",
    shown: ".graphiql-container",
    languages: ["en"],
    foreign: [".graphiql-container"],
  },
  "dev-inbox": { path: () => "/dev/inbox", shown: "h1", languages: ["en"] },
  "dev-inbox-mail": { path: ({ mail }) => `/dev/inbox/${mail}`, shown: "h1", languages: ["en"] },
  "dev-design": { path: () => "/dev/design", shown: "main h1", languages: ["en"] },
};
