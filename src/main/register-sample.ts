import fs from "node:fs";
import path from "node:path";
import type { Logger } from "pino";
import { sampleFile } from "../surfaces/web/sample-file.ts";

/**
 * Registers the sample file over HTTP, as any caller would. The same file again is answered with the proof that is there, and costs nothing. The product
 * works without a sample, so a failure is only logged.
 * @param url address of the gateway
 * @param token a live token: a test proof proves nothing
 * @returns the code of the proof; null without a proof
 */
export async function registerSample(url: string, token: string, log: Pick<Logger, "warn">): Promise<string | null> {
  try {
    const form = new FormData();
    form.set("file", new File([fs.readFileSync(sampleFile())], path.basename(sampleFile())));
    const response = await fetch(`${url}/api/v1/proofs/files`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    if (!response.ok) throw new Error(`registering the sample was answered with ${response.status}`);
    return ((await response.json()) as { readonly verification_code: string }).verification_code;
  } catch (error) {
    log.warn({ err: error }, "the home page shows no sample proof");
    return null;
  }
}
