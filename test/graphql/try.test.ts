import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { graphql, post } from "./graphql-client.ts";

let selo: TestGateway;
let o: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  o = await selo.newOrganization();
});
afterAll(() => selo.stop());
const REG = `mutation($input: RegisterProofInput!) { registerProof(input: $input) { created proof { id sha256 label fileName fileSize registeredAt evidence evidenceSignatureAlgorithms verifyUrl platformSignature } } }`;
test("try", async () => {
  const show = (name: string, a: unknown) => console.log(name, JSON.stringify(a));

  const sha256 = randomBytes(32).toString("hex");
  show("cursor", await graphql(selo, o.live, `{ proofs(after: "garbage") { nodes { id } } }`));
  show("cursor2", await graphql(selo, o.live, `{ proofs(after: "WyJhYmMiLDEsMl0=") { nodes { id } } }`));
  show("nul", await graphql(selo, o.live, `query($s: String!) { searchProofs(search: $s) { id } }`, { s: "a\0" }));
  show("nul lit", await graphql(selo, o.live, `query { searchProofs(search: "a\\u0000") { id } }`));
  show("surr", await graphql(selo, o.live, `query($s: String!) { searchProofs(search: $s) { id } }`, { s: "a\ud800" }));
  show("uuidv", await graphql(selo, o.live, `query($i: UUID!) { proof(id: $i) { id } }`, { i: "zz" }));
  show("bad2", await graphql(selo, o.live, REG, { input: { sha256: 5, fileSize: 1.5, more: 1 } }));
  show("fs", await graphql(selo, o.live, REG, { input: { sha256, fileSize: "9007199254740992" } }));
  show("fs", await graphql(selo, o.live, REG, { input: { sha256, fileSize: "12" } }));
  const key = { "idempotency-key": "k1" };
  show(
    "idem4",
    await graphql(
      selo,
      o.live,
      `mutation { a: registerProof(input: {sha256: "x"}) { created } b: registerProof(input: {sha256: "x"}) { created } }`,
      undefined,
      key,
    ),
  );
  show(
    "idem5",
    await graphql(selo, o.live, `mutation { a: registerProof(input: {sha256: "x"}) { created } }`, undefined, {
      "idempotency-key": "a b",
    }),
  );
  for (const n of [2400, 1500, 1000, 600, 300]) {
    show("deep" + n, await graphql(selo, o.live, "{a".repeat(n) + "}".repeat(n)));
    show("deepf" + n, await graphql(selo, o.live, "{...".repeat(n) + "{__typename}" + "}".repeat(n)));
  }
  show("sub", await graphql(selo, o.live, "subscription { x }"));
  show(
    "opname",
    await post(
      selo,
      o.live,
      JSON.stringify({ query: "query a {__typename} query b {__typename}", operationName: "c" }),
    ),
  );
  show("twoops", await post(selo, o.live, JSON.stringify({ query: "query a {__typename} query b {__typename}" })));
  const r = await fetch(selo.baseUrl + "/graphql", {
    method: "POST",
    headers: { accept: "text/html", authorization: "Bearer " + o.live, "content-type": "application/json" },
    body: JSON.stringify({ query: "{__typename}" }),
  });
  show("accept", [r.status, r.headers.get("content-type"), await r.text()]);
  for (const m of ["GET", "HEAD", "DELETE", "OPTIONS"]) {
    const r = await fetch(selo.baseUrl + "/graphql?query={__typename}", { method: m });
    show(m, [r.status, r.headers.get("allow"), await r.text()]);
  }
  const form = (file: Blob | null, extra: Record<string, string> = {}) => {
    const f = new FormData();
    f.set(
      "operations",
      JSON.stringify({
        query:
          "mutation($i: UploadProofInput!) { uploadProof(input: $i) { created proof { sha256 label fileName fileSize } } }",
        variables: { i: { file: null, label: "u" } },
        ...extra,
      }),
    );
    f.set("map", JSON.stringify({ 0: ["variables.i.file"] }));
    if (file) f.set("0", file, "ação.pdf");
    return f;
  };
  const pre = { "apollo-require-preflight": "1" };
  show("upload", await post(selo, o.live, form(new Blob(["hello"])), pre));
  show("upload again", await post(selo, o.live, form(new Blob(["hello"])), { ...pre, ...key }));
  const up3 = await post(selo, o.live, form(new Blob(["hello"])), { ...pre, ...key });
  show("upload replay", [up3, up3.headers.get("idempotent-replayed")]);
  show("upload other", await post(selo, o.live, form(new Blob(["hello!"])), { ...pre, ...key }));
  show("upload nopre", await post(selo, o.live, form(new Blob(["hello"]))));
  show("upload nofile", await post(selo, o.live, form(null), pre));
  show("upload anon", await post(selo, null, form(new Blob(["hello"])), pre));
  show("upload scope", await post(selo, await o.token("live", ["proofs:read"]), form(new Blob(["hello"])), pre));
  const f = form(new Blob(["x".repeat(100000)]));
  const q = new Request("http://x", { method: "POST", body: f });
  const bytes = new Uint8Array(await q.arrayBuffer());
  show(
    "upload trunc",
    await post(selo, o.live, bytes.slice(0, 50000), { ...pre, "content-type": q.headers.get("content-type")! }),
  );
  show(
    "upload trunc2",
    await post(selo, o.live, bytes.slice(0, 300), { ...pre, "content-type": q.headers.get("content-type")! }),
  );
  console.log(
    selo.logs
      .filter((l) => l.includes('"level":50'))
      .join("\n")
      .slice(0, 3000),
  );
  expect(1).toBe(1);
});
