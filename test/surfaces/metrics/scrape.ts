// What the tests of /metrics share: its token, a scrape, and names of metrics.
import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { parseExposition, type Scrape } from "../../support/exposition.ts";

export const TOKEN = "metrics-token-of-the-tests";
export const REQUESTS = "selo_http_requests_total";
export const random = () => randomBytes(32).toString("hex");

export async function scrape(baseUrl: string, token: string | null = TOKEN): Promise<Scrape> {
  const response = await fetch(`${baseUrl}/metrics`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parseExposition(await response.text());
}
