import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertProofs } from "../../support/cheap-proofs.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";

const LABELS = [
  "100% sure",
  "100 sure",
  "under_score",
  "underXscore",
  "back\\slash",
  "Ação ÜBER",
  "'; drop table x; --",
];

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  for (const label of LABELS) await register(organization.live, { sha256: digest(label), label });
  await register(organization.live, { sha256: digest("file"), file_name: "Contract%2F.PDF" });
  await register(organization.test, { sha256: digest("elsewhere"), label: "100% sure" });
  await register((await selo.newOrganization()).live, { sha256: digest("stranger"), label: "100% sure" });
});
afterAll(() => selo.stop());

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

async function register(token: string, body: object): Promise<void> {
  const answer = await fetch(`${selo.baseUrl}/api/v1/proofs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
}

async function search(text: string, page = "", token = organization.live) {
  const answer = await fetch(`${selo.baseUrl}/api/v1/proofs?search=${encodeURIComponent(text)}${page}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  const { items, total } = (await answer.json()) as {
    items: { sha256: string; label: string | null; file_name: string | null }[];
    total: number;
  };
  return { total, found: items.map(({ label, file_name }) => label ?? file_name) };
}

test.each([
  ["100%", ["100% sure"]],
  ["0 S", ["100 sure"]],
  ["under_", ["under_score"]],
  ["K\\S", ["back\\slash"]],
  ["\\", ["back\\slash"]],
  ["über", ["Ação ÜBER"]],
  ["%2f.pdf", ["Contract%2F.PDF"]],
  ["'; DROP", ["'; drop table x; --"]],
  ["%", ["Contract%2F.PDF", "100% sure"]],
  ["nothing of the kind", []],
])("%j finds labels and file names that contain it literally, whatever the case, newest first", async (text, found) => {
  expect(await search(text)).toEqual({ total: found.length, found });
});

test.each(["NFC", "NFD"] as const)(
  "an accent that was written as %s is found in either form and case",
  async (form) => {
    const { live } = await selo.newOrganization();
    const label = `José ${form}`.normalize(form);
    const file_name = `maçã ${form}.pdf`.normalize(form);
    await register(live, { sha256: digest(label), label, file_name });
    for (const sought of ["NFC", "NFD"] as const)
      for (const text of ["josé", "JOSÉ", "maçã", "MAÇÃ"])
        for (const page of ["", "&from=2020-01-01T00:00:00Z"])
          expect((await search(text.normalize(sought), page, live)).found).toEqual([label]);
    expect((await search("josè", "", live)).found).toEqual([]);
  },
);

test("hexadecimal digits find the digests that begin with them, also in capitals", async () => {
  const whole = digest("100 sure");
  for (const length of [6, 7, 32, 63, 64])
    expect((await search(whole.slice(0, length).toUpperCase())).found).toEqual(["100 sure"]);
  expect((await search(`${whole.slice(0, 63)}${whole.endsWith("0") ? "1" : "0"}`)).found).toEqual([]);
  expect((await search(whole.slice(8, 20))).found).toEqual([]);
});

test("pages of a search go on where the last ended, and one far beyond the end is empty", async () => {
  const all = (await search("s")).found;
  expect(all.length).toBeGreaterThan(3);
  expect((await search("s", "&limit=2&offset=1")).found).toEqual(all.slice(1, 3));
  expect(await search("s", "&limit=200&offset=2147483647")).toEqual({ total: all.length, found: [] });
});

test("what finds few reads few rows, also after many other searches of the same session", async () => {
  const many = await selo.newOrganization();
  await insertProofs(selo, many.id, 20_000);
  const client = await selo.database.admin.connect();
  try {
    await client.query("analyze signature.proofs");
    const search = async (text: string): Promise<number> => {
      const { rows } = await client.query<{
        "QUERY PLAN": [{ Plan: Record<"Shared Hit Blocks" | "Shared Read Blocks", number> }];
      }>("explain (analyze, buffers, format json) select id from signature.search_proofs($1, 'test', $2, 10001)", [
        many.id,
        text,
      ]);
      const plan = rows[0]?.["QUERY PLAN"][0].Plan;
      return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
    };
    for (let time = 0; time < 12; time++) await search(["bulk", "4c6c", "bulk 19999", "4c6ceafc"][time % 4] ?? "");
    // Two patterns, of the two forms of the accent.
    expect(await search("búlk 19999")).toBeLessThan(500);
    expect(await search("4c6ceafc")).toBeLessThan(500);
    expect(await search("bulk 19999")).toBeLessThan(500);
  } finally {
    client.release();
  }
});
