// GraphQL over HTTP, as the audits of npm's graphql-http ask for it: those that must, should and may hold alike.
import { serverAudits } from "graphql-http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

let selo: TestGateway;
let token: string;
beforeAll(async () => {
  selo = await startTestGateway();
  ({ live: token } = await selo.newOrganization());
});
afterAll(() => selo.stop());

const audits = serverAudits({
  url: () => `${selo.baseUrl}/graphql`,
  fetchFn: (url: string, { headers = {}, ...options }: { headers?: Record<string, string> } = {}) =>
    fetch(url, { ...options, headers: { ...headers, authorization: `Bearer ${token}` } }),
});

test("the suite has as many audits as when its version was pinned", () => {
  expect(audits.length).toBe(61);
});

test.each(audits)("$id $name", async ({ fn }) => {
  const { response: _, ...result } = { response: null, ...(await fn()) };
  expect(result).toMatchObject({ status: "ok" });
});
