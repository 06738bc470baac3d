// Documents over GraphQL: the same documents as over REST.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { call } from "../../support/rest-client.ts";
import { ORDINARY, storedDocument, uploadInGraphql, WITH_JAVASCRIPT } from "../../support/uploads.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo?.stop());

test("uploadDocument answers the document that REST shows; its status is an enum, its pages have a type", async () => {
  const answer = await uploadInGraphql(selo, organization.live, ORDINARY, { name: "Açaí.pdf" });
  const { document } = answered<{ document: Record<string, unknown> }>(answer, "uploadDocument");
  expect(document).toMatchObject({
    filename: "Açaí.pdf",
    size: String(ORDINARY.length),
    reason: null,
  });
  const { body } = await call(selo, "GET", `/documents/${document["id"]}`, { token: organization.live });
  expect(document).toMatchObject({
    id: body.id,
    createdAt: body.created_at,
    sha256: body.sha256,
    pages: body.pages,
    status: body.status.toUpperCase(),
  });
});

test("a file that is no PDF has the code unprocessable_pdf, and one with JavaScript is QUARANTINED", async () => {
  const { errors } = await uploadInGraphql(selo, organization.live, Buffer.from("no"));
  expect(errors[0]?.extensions).toMatchObject({ code: "unprocessable_pdf", http: { status: 422 } });
  const answer = await uploadInGraphql(selo, organization.live, WITH_JAVASCRIPT);
  expect(answered(answer, "uploadDocument")).toMatchObject({
    document: { status: "QUARANTINED", reason: "javascript", pages: [] },
  });
});

test("a hostile name is refused as a fault of the file", async () => {
  const { errors } = await uploadInGraphql(selo, organization.live, ORDINARY, { name: "contract\u202Efdp.exe" });
  expect(errors[0]?.extensions).toMatchObject({ code: "invalid_request", fields: [{ field: "file" }] });
});

test("the same Idempotency-Key answers the first document", async () => {
  const headers = { "idempotency-key": "graphql-upload" };
  const [one, two] = [
    await uploadInGraphql(selo, organization.live, ORDINARY, { headers }),
    await uploadInGraphql(selo, organization.live, ORDINARY, { headers }),
  ];
  expect(one.errors).toEqual([]);
  expect(two.data).toEqual(one.data);
});

test("documents are listed newest first, page by page, read one by one, and removed", async () => {
  const own = await selo.newOrganization();
  const ids: string[] = [];
  for (const name of ["a.pdf", "b.pdf", "c.pdf"]) ids.unshift((await storedDocument(selo, own.live, { name })).id);
  const page = async (after: string | null) =>
    answered<{ nodes: { id: string }[]; pageInfo: { endCursor: string }; totalCount: number }>(
      await graphql(
        selo,
        own.live,
        "query($after: Cursor) { documents(first: 2, after: $after) { nodes { id } pageInfo { endCursor } totalCount } }",
        { after },
      ),
      "documents",
    );
  const first = await page(null);
  expect(first.totalCount).toBe(3);
  const second = await page(first.pageInfo.endCursor);
  expect([...first.nodes, ...second.nodes].map(({ id }) => id)).toEqual(ids);
  const one = await graphql(selo, own.live, `{ document(id: "${ids[0]}") { filename } }`);
  expect(answered(one, "document")).toEqual({ filename: "c.pdf" });
  const removed = await graphql(selo, own.live, `mutation { deleteDocument(input: {id: "${ids[0]}"}) { done } }`);
  expect(answered(removed, "deleteDocument")).toEqual({ done: true });
  expect(answered(await graphql(selo, own.live, `{ document(id: "${ids[0]}") { id } }`), "document")).toBeNull();
});

test("documentDownload is a link to the content", async () => {
  const { id } = await storedDocument(selo, organization.live);
  const answer = await graphql(selo, organization.live, `{ documentDownload(id: "${id}") { url expiresAt } }`);
  const { url } = answered<{ url: string }>(answer, "documentDownload");
  const file = await fetch(url.replace("http://selo.test", selo.baseUrl));
  expect(Buffer.from(await file.arrayBuffer()).equals(ORDINARY)).toBe(true);
});
