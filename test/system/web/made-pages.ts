import type { Page } from "playwright-core";
import type { MadeEnvelope } from "../../verifier/made-envelopes.ts";
import { live, pdf } from "../../verifier/made-proofs.ts";
import { type PageFile, pageFile } from "./proofs.ts";

/** The pages' service is one that made this envelope: what the real one never signs can be shown, too. */
export async function serveMade(page: Page, { answer }: MadeEnvelope): Promise<void> {
  const json = (path: string, status: number, body: unknown) =>
    page.route(`**/api/v1/public/${path}`, (route) => route.fulfill({ status, json: body }));
  await json("proofs/**", 404, { detail: { code: "not_found", message: "No such proof." } });
  await json("envelopes/**", 200, answer);
  await json("platform-key", 200, { platform_keys: live.keys });
}

/** The document whose digest is FINAL of made-envelopes.ts. */
export const finalFile = (name: string): PageFile => pageFile(name, "final");

export const reportFile = async (name: string, report: unknown): Promise<PageFile> =>
  pageFile(name, await pdf([["evidence.json", JSON.stringify(report)]]));
