// GET /proofs: newest first; search by digest prefix, label or file name; pages (signature-service §4).
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertProofs } from "../../support/cheap-proofs.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call, expectError } from "../../support/rest-client.ts";

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());

const digest = () => randomBytes(32).toString("hex");
let organization: TestOrganization;
beforeEach(async () => {
  organization = await selo.newOrganization();
});

async function register(members: object = {}, token = organization.test): Promise<string> {
  const { status, body } = await call(selo, "POST", "/proofs", { token, body: { sha256: digest(), ...members } });
  expect(status).toBe(201);
  return body.id;
}

const list = (query: string | Record<string, string> = "", token = organization.test) =>
  call(selo, "GET", `/proofs${typeof query === "string" ? query : `?${new URLSearchParams(query)}`}`, { token });

async function found(search: string): Promise<string[]> {
  const { status, body } = await list({ search });
  expect(status).toBe(200);
  const ids = body.items.map(({ id }: { id: string }) => id);
  expect(body.total).toBe(ids.length);
  return ids;
}

describe("a list", () => {
  test("of nothing is an empty page", async () => {
    const response = await list();
    expect(response.status).toBe(200);
    expect(response.text).toBe('{"items":[],"next_cursor":null,"total":0,"limit":50,"offset":0}');
    expect(response.headers.get("link")).toBeNull();
  });

  test("has the newest first", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(await register());
    expect((await list()).body.items.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect((await list("?limit=2&offset=1")).body.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1, 3));
  });

  test("holds only the organization's proofs of the token's environment, searching or not", async () => {
    const other = await selo.newOrganization();
    const sha256 = digest();
    const mine = await register({ sha256, label: "shared name" });
    await register({ sha256, label: "shared name" }, organization.live);
    await register({ sha256, label: "shared name" }, other.test);
    for (const query of ["", "?search=shared", `?search=${sha256.slice(0, 20)}`]) {
      const { body } = await list(query);
      expect(body.items.map(({ id }: { id: string }) => id)).toEqual([mine]);
      expect(body.total).toBe(1);
    }
  });
});

describe("search", () => {
  test("finds a digest by its prefix, whatever its case and length, and nothing by its middle", async () => {
    const sha256 = `c0ffee${"12".repeat(29)}`;
    const id = await register({ sha256 });
    await register({ sha256: `c0ffef${"12".repeat(29)}` });
    await register({ sha256: `bfffee${"12".repeat(29)}` });
    expect(await found("c0ffee")).toEqual([id]);
    expect(await found("C0FFEE")).toEqual([id]);
    expect(await found(sha256)).toEqual([id]);
    expect(await found(sha256.toUpperCase())).toEqual([id]);
    expect(await found(`${sha256.slice(0, 63)}f`)).toEqual([]);
    expect(await found(`${sha256}0`)).toEqual([]);
    expect(await found("0ffee")).toEqual([]);
    expect(await found("c0f")).toHaveLength(2);
    expect(await found("c")).toHaveLength(2);
  });

  test("finds a substring of the label or the file name, whatever the case, accents included", async () => {
    const byLabel = await register({ label: "Contrato de LOCAÇÃO" });
    const byName = await register({ file_name: "locação-Final.PDF" });
    await register({ label: "Locacao", file_name: "locac.pdf" });
    const both = [byName, byLabel];
    expect(await found("locação")).toEqual(both);
    expect(await found("LOCAÇÃO")).toEqual(both);
    expect(await found("ÇÃO")).toEqual(both);
    expect(await found("ção")).toEqual(both);
    expect(await found("contrato")).toEqual([byLabel]);
    expect(await found("final.pdf")).toEqual([byName]);
  });

  test.each(["%", "_", "\\", "%%", "\\%", "50%", "a_b", "C:\\x", "'", '"', "&", "+", "?a=b", "#", ";"])(
    "takes %s literally",
    async (text) => {
      const id = await register({ label: `before ${text} after` });
      await register({ label: "before  after", file_name: "aXb 500 C:x.pdf" });
      expect(await found(text)).toEqual([id]);
    },
  );

  test("finds astral characters", async () => {
    const id = await register({ label: "house 🏠" });
    await register({ label: "house 🏡" });
    expect(await found("🏠")).toEqual([id]);
  });

  test("that is empty finds everything", async () => {
    await register();
    await register({ label: "x" });
    expect(await found("")).toHaveLength(2);
  });

  test("finds a digest prefix and a label at once, once each, newest first", async () => {
    const byLabel = await register({ label: "case abc" });
    const byDigest = await register({ sha256: `abc${"0".repeat(61)}`, label: "abc too" });
    expect(await found("abc")).toEqual([byDigest, byLabel]);
  });

  test("with NUL is 422", async () => {
    expectError(await list({ search: "a\0b" }), 422, "invalid_request", ["search"]);
  });
});

describe("limit and offset", () => {
  test.each([
    ["?limit=1", 1, 0],
    ["?limit=200", 200, 0],
    ["?limit=199&offset=0", 199, 0],
    ["?offset=1", 50, 1],
    ["?offset=2147483647", 50, 2_147_483_647],
  ])("%s", async (query, limit, offset) => {
    await register({ label: "x" });
    const { status, body } = await list(query);
    expect(status).toBe(200);
    expect(body).toMatchObject({ limit, offset });
    // The same bounds whether or not something is searched for.
    const searched = await list(`${query}&search=x`);
    expect({ status: searched.status, body: searched.body }).toMatchObject({ status: 200, body: { limit, offset } });
  });

  test.each([
    ["?limit=-1", "limit"],
    ["?limit=1.5", "limit"],
    ["?limit=1e2", "limit"],
    ["?limit=", "limit"],
    ["?limit=abc", "limit"],
    ["?limit=%20", "limit"],
    ["?limit=0x10", "limit"],
    ["?limit=%EF%BC%91", "limit"],
    ["?limit=1&limit=2", "limit"],
    ["?offset=99999999999999999999", "offset"],
    ["?offset=1&offset=1", "offset"],
    ["?search=a&search=b", "search"],
    ["?page=2", "page"],
    ["?Limit=2", "Limit"],
    ["?limit[]=2", "limit[]"],
    ["?__proto__=1", "__proto__"],
  ])("%s is 422", async (query, field) => {
    expectError(await list(query), 422, "invalid_request", [field]);
  });

  test("every wrong parameter is named at once", async () => {
    expectError(await list("?limit=0&offset=x&other=1"), 422, "invalid_request", ["limit", "offset", "other"]);
  });
});

/** The pages a Link header names (RFC 8288). */
function links(response: { readonly headers: Headers }): Record<string, string> {
  const header = response.headers.get("link") ?? "";
  return Object.fromEntries(
    [...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target = "", relation = ""]) => [relation, target]),
  );
}

describe("Link", () => {
  test("walks every page to the end and back, keeping the search", async () => {
    const label = "?a=b&c d%e+f 🏠?";
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(await register({ label }));
    const { pathname, search } = new URL(
      `http://x/api/v1/proofs?${new URLSearchParams({ search: label, limit: "2", offset: "0" })}`,
    );
    const seen: string[] = [];
    let path: string | undefined = `http://selo.test${pathname}${search}`;
    let last = "";
    const pages: (readonly string[])[] = [];
    for (let page = 0; path !== undefined && page < 10; page++) {
      last = path;
      const response = await call(selo, "GET", path.slice("http://selo.test/api/v1".length), {
        token: organization.test,
      });
      expect(response.body.total).toBe(5);
      seen.push(...response.body.items.map(({ id }: { id: string }) => id));
      pages.push(Object.keys(links(response)).sort());
      path = links(response)["next"];
    }
    expect(seen).toEqual(ids);
    expect(pages).toEqual([["next"], ["next", "prev"], ["prev"]]);
    const end = await call(selo, "GET", last.slice("http://selo.test/api/v1".length), { token: organization.test });
    const previous = links(end)["prev"] ?? "";
    const before = await call(selo, "GET", previous.slice("http://selo.test/api/v1".length), {
      token: organization.test,
    });
    expect(before.body.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2, 4));
  });

  test("keeps a search with a bare question mark in the URL", async () => {
    await register({ label: "who? me" });
    await register({ label: "who? you" });
    const response = await list("?search=who?&limit=1&offset=0");
    expect(response.body.total).toBe(2);
    const next = new URL(links(response)["next"] ?? "");
    expect(Object.fromEntries(next.searchParams)).toEqual({ search: "who?", limit: "1", offset: "1" });
  });
});

describe("total", () => {
  test("is exact up to 10,000; beyond it is 10,000 with total_capped, and Link still reaches the end", async () => {
    await insertProofs(selo, organization.id, 10_000);
    const exact = await list("?limit=1");
    expect(exact.body.total).toBe(10_000);
    expect(Object.keys(exact.body)).toEqual(["items", "next_cursor", "total", "limit", "offset"]);
    expect((await list("?limit=1&search=bulk")).body.total).toBe(10_000);

    await register({ label: "bulk and one more" });
    for (const query of ["limit=1", "limit=1&search=bulk"]) {
      const capped = await list(`?${query}`);
      expect(capped.body).toMatchObject({ total: 10_000, total_capped: true, limit: 1, offset: 0 });
      expect(capped.body.items[0].label).toBe("bulk and one more");
      const last = await list(`?${query}&offset=10000`);
      expect(last.body.items).toHaveLength(1);
      const beyond = await list(`?${query}&offset=10001`);
      expect(beyond.body.items).toEqual([]);
      // Who follows `next` comes to an end.
      expect(Object.keys(links(beyond))).toEqual(["prev"]);
    }
  });
});
