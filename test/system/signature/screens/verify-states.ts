import type { Page } from "playwright-core";
import { CODE } from "../../../verifier/made-envelopes.ts";
import type { State, States } from "../../screens/state.ts";
import { finalFile, serveMade } from "../../web/made-pages.ts";
import { type PageFile, pageFile } from "../../web/proofs.ts";
import type { VerifyStage } from "./verify-stage.ts";

/** The verify page in a state. */
export interface VerifyState extends State<VerifyStage> {
  /** The verdict in src/web/verify/words.ts that stands above everything. */
  readonly verdict?: string;
}

const RECORDS = "**/api/v1/public/proofs/**";
const SETTLED = ".verdict:not([aria-busy='true']) h1";
const verdict = (tone: "ok" | "bad" | "info" | "warn") => `.verdict.${tone} h1`;
const byCode = ({ proof }: VerifyStage) => `/verify/${proof.verification_code}`;
const verify = () => "/verify";

/** Never answers. */
const held = (url: string) => async (page: Page) => {
  await page.route(url, () => {});
};
const answered = (status: number, headers: Record<string, string>) => async (page: Page) => {
  const body = JSON.stringify({ error: { code: "rate_limited", message: "Too many requests." } });
  await page.route(RECORDS, (route) => route.fulfill({ status, headers, contentType: "application/json", body }));
};

const PUBLIC = "**/api/v1/public/**";
const down = (url: string) => async (page: Page) => {
  await page.route(url, (route) => route.fulfill({ status: 503 }));
};
/** The browser remembers keys, perhaps of another day; for one page only, since all pages share a profile. */
const remembering = (environment: string, created_at?: string) => async (page: Page, stage: VerifyStage) => {
  const keys = stage.keys
    .filter((key) => key.environment === environment)
    .map((key) => ({ ...key, ...(created_at === undefined ? {} : { created_at }) }));
  const stored = JSON.stringify({ pinned_at: "2026-01-02T03:04:05Z", platform_keys: keys });
  await page.addInitScript(`{
    const { getItem } = Storage.prototype;
    Storage.prototype.getItem = function (name) {
      return name === "selo.keys" ? ${JSON.stringify(stored)} : getItem.call(this, name);
    };
  }`);
};
/** The two keys of the proof, as a list says them that has no environments. */
const pasteBareKeys = async (page: Page, { keys, proof }: VerifyStage) => {
  await page.locator("details.keys summary").click();
  for (const id of [proof.platform_key_id, proof.platform_pq_key_id]) {
    await page.locator(".paste textarea").fill(keys.find(({ key_id }) => key_id === id)?.public_key ?? "");
    await page.locator(".paste [type='submit']").click();
  }
};

/** The service is one that made the envelope of the stage. */
const madeBy = (page: Page, { envelope }: VerifyStage) => serveMade(page, envelope);
const SIGNED_FILE = "contrato-locacao.pdf";
/** A second file is dropped when the first has its verdict, as people do it. */
const addReport = (report: (stage: VerifyStage) => PageFile) => async (page: Page, stage: VerifyStage) => {
  await page.locator(".from.ask").waitFor();
  await page.locator('input[type="file"]').setInputFiles([report(stage)]);
};

/** Of documents that were signed. */
const SIGNED_STATES: States<VerifyState> = {
  "signed-final": {
    path: verify,
    before: madeBy,
    files: () => [finalFile(SIGNED_FILE)],
    shown: ".from.ask",
    mockup: { "pt-BR": "verify-signed-final" },
  },
  "signed-final-and-report": {
    path: verify,
    before: madeBy,
    files: () => [finalFile(SIGNED_FILE)],
    act: addReport(({ report }) => report),
    shown: ".signers .how",
    mockup: { "pt-BR": "verify-signed-report" },
  },
  "signed-report-alone": {
    path: verify,
    before: madeBy,
    files: ({ report }) => [report],
    shown: ".signers .how",
    mockup: { "pt-BR": "verify-signed-report-alone" },
  },
  "signed-name-altered": {
    path: verify,
    before: madeBy,
    files: () => [finalFile(SIGNED_FILE)],
    act: addReport(({ alteredReport }) => alteredReport),
    shown: verdict("bad"),
  },
  "signed-different-file": {
    path: () => `/verify/${CODE}`,
    before: madeBy,
    files: () => [pageFile(SIGNED_FILE, "another one")],
    shown: verdict("bad"),
  },
};
export const VERIFY_STATES: States<VerifyState> = {
  empty: { path: verify, shown: "main h1", mockup: { "pt-BR": "verify-empty" }, walked: true },
  loading: {
    path: byCode,
    before: held(RECORDS),
    shown: ".verdict[aria-busy='true']",
    mockup: { "pt-BR": "verify-loading" },
  },
  matches: {
    verdict: "verified_here",
    path: byCode,
    files: ({ file }) => [file],
    shown: verdict("ok"),
    mockup: { "pt-BR": "verify", en: "verify-en" },
    walked: true,
  },
  "matches-with-receipt": {
    verdict: "verified_here",
    path: verify,
    files: ({ receipt, file }) => [receipt, file],
    shown: verdict("ok"),
    mockup: { "pt-BR": "verify", en: "verify-en" },
  },
  "receipt-alone": { verdict: "attached_record", path: verify, files: ({ receipt }) => [receipt], shown: SETTLED },
  "different-file": {
    verdict: "different_file",
    path: byCode,
    files: ({ file }) => [pageFile(file.name, "The contract, version 4.")],
    shown: verdict("bad"),
    mockup: { "pt-BR": "verify-different" },
  },
  "receipt-altered": {
    verdict: "altered",
    path: verify,
    files: ({ alteredEvidence, file }) => [alteredEvidence, file],
    shown: ".verdict.bad h1",
    mockup: { "pt-BR": "verify-altered" },
    walked: true,
  },
  "code-alone": {
    verdict: "on_record",
    path: byCode,
    shown: verdict("info"),
    mockup: { "pt-BR": "verify-no-file" },
    walked: true,
  },
  "no-such-proof": { verdict: "code_unknown", path: () => "/verify/0000-0000-0000", shown: SETTLED },
  "zip-unread": {
    verdict: "zip_unread",
    path: verify,
    files: () => [pageFile("dossier.zip", "PK\u0003\u0004 and no more")],
    shown: SETTLED,
  },
  "file-unknown": {
    verdict: "file_unknown",
    path: verify,
    files: () => [pageFile("other.txt", "never registered")],
    shown: SETTLED,
  },
  "code-malformed": {
    path: verify,
    act: async (page) => {
      await page.locator("#code").fill("GNS2-H");
      await page.keyboard.press("Enter");
    },
    shown: "[aria-invalid='true']",
    walked: true,
  },
  test: {
    verdict: "test",
    path: ({ testProof }) => `/verify/${testProof.verification_code}`,
    files: ({ file }) => [file],
    shown: ".test-bar",
    mockup: { "pt-BR": "verify-test" },
  },
  unreachable: {
    verdict: "unreachable",
    path: byCode,
    before: async (page) => void (await page.route(RECORDS, (route) => route.abort())),
    shown: SETTLED,
  },
  "service-down": { verdict: "unreachable", path: byCode, before: answered(503, {}), shown: SETTLED },
  "too-many-requests": {
    verdict: "throttled",
    path: byCode,
    before: answered(429, { "retry-after": "45" }),
    shown: SETTLED,
  },
  "other-name": {
    verdict: "name_needed",
    path: byCode,
    files: ({ file }) => [{ ...file, name: "scan-0001.pdf" }],
    shown: SETTLED,
  },
  "matches-trusted": {
    verdict: "verified",
    path: byCode,
    before: remembering("live"),
    files: ({ file }) => [file],
    shown: verdict("ok"),
  },
  "test-alone": {
    verdict: "test_no_file",
    path: verify,
    files: ({ testReceipt }) => [testReceipt],
    shown: verdict("warn"),
  },
  "evidence-alone": { verdict: "authentic", path: verify, files: ({ evidence }) => [evidence], shown: SETTLED },
  "no-record": {
    verdict: "no_record",
    path: verify,
    before: answered(404, {}),
    files: ({ evidence, file }) => [evidence, file],
    shown: SETTLED,
  },
  "nothing-confirms": {
    verdict: "unconfirmed",
    path: verify,
    before: answered(404, {}),
    files: ({ publicEvidence }) => [publicEvidence],
    shown: SETTLED,
  },
  "keys-missing": {
    verdict: "keys_unknown",
    path: verify,
    before: down(PUBLIC),
    files: ({ receipt, file }) => [receipt, file],
    shown: SETTLED,
  },
  "perhaps-a-test": {
    verdict: "environment_unknown",
    path: verify,
    before: down(PUBLIC),
    files: ({ evidence, file }) => [evidence, file],
    act: pasteBareKeys,
    shown: SETTLED,
  },
  "keys-of-others": {
    verdict: "foreign_keys",
    path: verify,
    files: ({ forgedReceipt, file }) => [forgedReceipt, file],
    shown: verdict("bad"),
  },
  "keys-not-trusted": {
    verdict: "untrusted_keys",
    path: byCode,
    before: remembering("test", "2999-01-01T00:00:00Z"),
    files: ({ file }) => [file],
    shown: verdict("bad"),
  },
  "keys-older": {
    verdict: "keys_older",
    path: byCode,
    before: remembering("test"),
    files: ({ file }) => [file],
    shown: SETTLED,
  },
  "other-code": {
    verdict: "other_code",
    path: ({ hostileProof }) => `/verify/${hostileProof.verification_code}`,
    files: ({ receipt }) => [receipt],
    shown: verdict("bad"),
  },
  "record-at-fault": {
    verdict: "record_at_fault",
    path: byCode,
    before: async (page) => {
      await page.route(RECORDS, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), verification: { valid: false } } });
      });
    },
    shown: verdict("bad"),
  },
  "wrong-address": { verdict: "not_a_code", path: () => "/verify/hello", shown: SETTLED },
  "file-unreadable": {
    verdict: "unreadable",
    path: verify,
    before: async (page) => void (await page.route("**/assets/worker-*.js", (route) => route.abort())),
    files: ({ file }) => [file],
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
    verdict: "verified_here",
    path: ({ hostileProof }) => `/verify/${hostileProof.verification_code}`,
    files: ({ hostileFile }) => [hostileFile],
    shown: verdict("ok"),
  },
  ...SIGNED_STATES,
};
