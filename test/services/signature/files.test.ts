// Links to stored files: what they answer, and that none but a signed one in its time leads to a file.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import { Readable } from "node:stream";
import { parse } from "content-disposition";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import { writeSealed } from "../../../src/adapters/storage/sealed-object.ts";
import { FileLinks, type LinkedFile } from "../../../src/services/platform/files/file-links.ts";
import type { Service } from "../../../src/services/service.ts";
import { services } from "../../../src/services/services.ts";
import { type FileToSend, filesPlugin } from "../../../src/services/signature/documents/files.ts";
import type { SignatureParts } from "../../../src/services/signature/parts.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const CONTENT = randomBytes(300_000);
const NOON = Date.parse("2026-11-23T12:00:00Z");
const dataKey = Buffer.alloc(32, 7);
const linked: LinkedFile = { tenantId: randomUUID(), environment: "test", objectId: randomUUID() };

/** The clock of the gateway's links. */
let now = NOON;
let fileName = "contract.pdf";
let bytes = CONTENT.length;
let isThere = true;
let asked: LinkedFile[] = [];
const PATH = "/api/v1/files/";
const links = new FileLinks(new MasterKeyring(OLD), "http://selo.test", () => new Date(now));

/** What the documents of the service are to the route. */
const findFile = async (file: LinkedFile): Promise<FileToSend | null> => {
  asked.push(file);
  const isIt = Object.entries(linked).every(([name, value]) => file[name as keyof LinkedFile] === value);
  if (!isIt || !isThere) return null;
  return { key: { dataKey, use: "document", id: file.objectId }, bytes, fileName, contentType: "application/pdf" };
};
const ownRoutes: Service<SignatureParts>["ownRoutes"] = [
  (app, parts) => filesPlugin(app, { ...parts, fileLinks: links }, findFile),
];
/** The product's services, whose route to files looks here. */
const lookingHere = services.map((service) => (service.name === "signature" ? { ...service, ownRoutes } : service));

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway({ LOG_LEVEL: "trace" }, { services: lookingHere });
  const store = await FolderStore.prepare(selo.config.storageFolder);
  await writeSealed(store, { dataKey, use: "document", id: linked.objectId }, Readable.from([CONTENT]), CONTENT.length);
});
afterAll(() => selo?.stop());
beforeEach(() => {
  [now, fileName, bytes, isThere, asked] = [NOON, "contract.pdf", CONTENT.length, true, []];
});

const tokenOf = ({ url }: { readonly url: string }) => url.slice(url.lastIndexOf("/") + 1);
const newToken = (file: LinkedFile = linked) => tokenOf(links.downloadLink(PATH, file));
const get = (token: string, headers: Record<string, string> = {}, method = "GET") =>
  call(selo, method, `/files/${token}`, { headers });

/** As a path that does not exist. */
async function expectUnknown(answer: RestResponse): Promise<void> {
  expectError(answer, 404, "not_found");
  const { request_id: _, ...body } = answer.body;
  const { request_id: __, ...unknown } = (await call(selo, "GET", "/no/such/path")).body;
  expect(body).toEqual(unknown);
}

describe("a link", () => {
  test("names its file, and when it ends: in five minutes", () => {
    const { url, expires_at } = links.downloadLink(PATH, linked);
    expect(url).toMatch(/^http:\/\/selo\.test\/api\/v1\/files\/[A-Za-z0-9_-]{95}$/);
    expect(expires_at).toBe("2026-11-23T12:05:00.000000Z");
    expect(links.read(PATH, tokenOf({ url }))).toEqual(linked);
    expect(links.read(PATH, newToken({ ...linked, environment: "live" }))).toEqual({ ...linked, environment: "live" });
  });

  test("leads to its file until it ends, and not a moment later", () => {
    const token = newToken();
    now = NOON + 299_999;
    expect(links.read(PATH, token)).toEqual(linked);
    now = NOON + 300_000;
    expect(links.read(PATH, token)).toBeNull();
  });

  test("with any bit changed, one character more or less, or in another writing leads nowhere", () => {
    const token = newToken();
    const whole = Buffer.from(token, "base64url");
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const changed = Buffer.from(whole);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(links.read(PATH, changed.toString("base64url")), `bit ${bit}`).toBeNull();
    }
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    // The last letter has bits that no byte takes.
    for (const letter of letters.replace(token.at(-1) ?? "", ""))
      expect(links.read(PATH, token.slice(0, -1) + letter), letter).toBeNull();
    for (const other of ["", "A", token.slice(0, -1), `${token}A`, `${token}=`, `${token}\n`, whole.toString("base64")])
      expect(other === token ? null : links.read(PATH, other), other).toBeNull();
  });

  test("made under a master key leads to its file while the key is replaced, and not when it is gone", () => {
    const at = () => new Date(NOON);
    const under = (sealing: Buffer, ...others: Buffer[]) =>
      new FileLinks(new MasterKeyring(sealing, others), "http://selo.test", at);
    const token = tokenOf(under(OLD).downloadLink(PATH, linked));
    expect(under(OLD, NEW).read(PATH, token)).toEqual(linked);
    expect(under(NEW, OLD).read(PATH, token)).toEqual(linked);
    expect(under(NEW).read(PATH, token)).toBeNull();
    expect(under(OLD, NEW).read(PATH, tokenOf(under(NEW, OLD).downloadLink(PATH, linked)))).toEqual(linked);
  });
});

describe("GET /files/{token}", () => {
  test("answers the file without a credential, saved and never shown or kept", async () => {
    const answer = await get(newToken());
    expect(answer.status).toBe(200);
    expect(createHash("sha256").update(answer.bytes).digest("hex")).toBe(
      createHash("sha256").update(CONTENT).digest("hex"),
    );
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(CONTENT.length),
      "content-disposition": 'attachment; filename="contract.pdf"'.replaceAll('"', ""),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "accept-ranges": "bytes",
    });
    expect(answer.headers.get("ratelimit")).toContain("address");
  });

  test("HEAD has its headers, and Range its part", async () => {
    const token = newToken();
    const head = await get(token, {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.bytes.length]).toEqual([200, "300000", 0]);
    const part = await get(token, { range: "bytes=65530-65545", "if-range": head.headers.get("etag") ?? "" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 65530-65545/300000"]);
    expect(part.bytes.equals(CONTENT.subarray(65_530, 65_546))).toBe(true);
    expect(part.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expectError(await get(token, { range: "bytes=300000-" }), 416, "range_not_satisfiable");
  });

  test.each([
    ["another organization", { ...linked, tenantId: randomUUID() }],
    ["the other environment", { ...linked, environment: "live" as const }],
    ["another object", { ...linked, objectId: randomUUID() }],
  ])("for %s is 404: a link is bound to its own", async (_, other) => {
    const [own, forged] = [newToken(), newToken(other)].map((token) => Buffer.from(token, "base64url"));
    await expectUnknown(await get(newToken(other)));
    expect(asked).toEqual([other]);
    // The claim of the one with the signature of the other.
    const mixed = Buffer.concat([forged?.subarray(0, -32) ?? Buffer.of(), own?.subarray(-32) ?? Buffer.of()]);
    await expectUnknown(await get(mixed.toString("base64url")));
    expect(asked).toHaveLength(1);
  });

  test("late, made elsewhere, altered or no token at all is 404, and nothing is looked up", async () => {
    const token = newToken();
    const elsewhere = new FileLinks(new MasterKeyring(NEW), "http://selo.test", () => new Date(now));
    const altered = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
    for (const each of [tokenOf(elsewhere.downloadLink(PATH, linked)), altered, "x", "%00", `${token}%0A`])
      await expectUnknown(await get(each));
    now = NOON + 301_000;
    await expectUnknown(await get(token));
    await expectUnknown(await get(token, { range: "bytes=0-1" }));
    expect(asked).toEqual([]);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])("%s is 404 with the link of a GET", async (method) => {
    expect((await get(newToken(), {}, method)).status).toBe(404);
    expect(asked).toEqual([]);
  });

  test("is 404 once the file is gone", async () => {
    const token = newToken();
    isThere = false;
    await expectUnknown(await get(token));
  });

  test("is 500 for an object of another length than its row says, and 503 while the storage is away", async () => {
    bytes = CONTENT.length - 1;
    expectError(await get(newToken()), 500, "internal_error");
    bytes = CONTENT.length;
    const { storageFolder } = selo.config;
    fs.renameSync(storageFolder, `${storageFolder}.away`);
    try {
      expectError(await get(newToken()), 503, "unavailable");
    } finally {
      fs.renameSync(`${storageFolder}.away`, storageFolder);
    }
    expect(selo.logs.join("")).toContain('"alarm":"storage_fails"');
  });

  test.each([
    ["contrato ação 🎉.pdf", "contrato ação 🎉.pdf"],
    ['a"b\\c.pdf', "a_b_c.pdf"],
    ["../../etc/passwd", "__.._etc_passwd"],
    ["a\r\nSet-Cookie: x=1.pdf", "a__Set-Cookie_ x=1.pdf"],
    ["invoice\u202efdp.exe", "invoice_fdp.exe"],
    ["C:\\Windows\\x<>|?*.pdf", "C__Windows_x_____.pdf"],
    ["100%25.pdf", "100%25.pdf"],
    ["a\ud800.pdf", "a\ufffd.pdf"],
    ["   ", "file"],
    [".", "_"],
    ["x".repeat(300), "x".repeat(255)],
    [`${"é".repeat(300)}.pdf`, `${"é".repeat(125)}.pdf`],
  ])("a file that somebody named %j is saved as %j", async (given, saved) => {
    fileName = given;
    const answer = await get(newToken());
    expect(answer.status).toBe(200);
    const header = answer.headers.get("content-disposition") ?? "";
    expect(parse(header)).toMatchObject({ type: "attachment", parameters: { filename: saved } });
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test("no log has a token, whatever becomes of the request", async () => {
    const token = newToken();
    await get(token);
    await get(token, { range: "bytes=999999-" });
    bytes = 1;
    await get(token);
    await get(`${token}x`);
    const logged = selo.logs.join("");
    expect(logged).toContain("/files/:token");
    expect(logged).not.toContain(token);
  });
});

test("an address that asks too often is 429, with links or without", async () => {
  const limited = await startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "3" }, { services: lookingHere });
  try {
    const ask = () => call(limited, "GET", "/files/x");
    for (let count = 0; count < 3; count++) expectError(await ask(), 404, "not_found");
    expectError(await ask(), 429, "rate_limited");
  } finally {
    await limited.stop();
  }
});
