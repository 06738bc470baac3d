// POST /proofs/files, and POST /proofs as multipart/form-data: hashed as it arrives, never stored (signature-service §1.4, §4).
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import http from "node:http";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import {
  call,
  countRows,
  expectError,
  filePart,
  multipartBody,
  type RestResponse,
  sendRaw,
  textPart,
} from "../../support/rest-client.ts";

const MOST = 100_000;
/** A file's own path, and the one that it shares with JSON. */
describe.each(["/proofs/files", "/proofs"])("POST %s", (PATH) => {
  let selo: TestGateway;
  let organization: TestOrganization;
  beforeAll(async () => {
    selo = await startTestGateway({ PROOF_MAX_FILE_BYTES: String(MOST) });
    organization = await selo.newOrganization();
  });
  afterAll(() => selo.stop());

  const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

  function upload(
    parts: Parameters<typeof multipartBody>[0],
    options: { key?: string; headers?: Record<string, string> } = {},
  ): Promise<RestResponse> {
    const { bytes, headers } = multipartBody(parts);
    return call(selo, "POST", PATH, {
      token: organization.test,
      body: bytes,
      key: options.key,
      headers: { ...headers, ...options.headers },
    });
  }

  /** Sends the pieces one by one with Transfer-Encoding: chunked; ends early as soon as an answer is there. */
  function uploadChunked(pieces: Iterable<Uint8Array>, headers: Record<string, string>): Promise<RestResponse> {
    return new Promise((resolve, reject) => {
      const request = http.request(`${selo.baseUrl}/api/v1${PATH}`, {
        method: "POST",
        agent: false,
        headers: { ...headers, authorization: `Bearer ${organization.test}` },
      });
      let answered = false;
      request.on("response", (response) => {
        answered = true;
        const received: Buffer[] = [];
        response.on("data", (chunk: Buffer) => received.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          request.destroy();
          const bytes = Buffer.concat(received);
          const text = bytes.toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(response.headers as Record<string, string>),
            bytes,
            text,
            body: JSON.parse(text),
          });
        });
      });
      request.on("error", (error) => {
        if (!answered) reject(error);
      });
      void (async () => {
        for (const piece of pieces) {
          if (answered) return;
          if (!request.write(piece)) await new Promise((drained) => setTimeout(drained, 1));
        }
        request.end();
      })();
    });
  }

  describe("the file", () => {
    test("is hashed, its size counted, its name taken from the part", async () => {
      const file = randomBytes(70_000);
      const { status, body } = await upload([filePart(file, "contract.pdf")]);
      expect(status).toBe(201);
      expect(body).toMatchObject({
        sha256: sha256(file),
        file_name: "contract.pdf",
        file_size: 70_000,
        label: null,
        created: true,
      });
      expect(body.evidence).toMatchObject({ sha256: sha256(file), file_name: "contract.pdf", file_size: 70_000 });
    });

    test("may be empty", async () => {
      const { status, body } = await upload([filePart("", "empty.txt")]);
      expect(status).toBe(201);
      expect(body).toMatchObject({
        sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        file_size: 0,
        file_name: "empty.txt",
      });
    });

    test("holding what looks like a boundary is hashed whole", async () => {
      const file = Buffer.from(
        "--selo-boundar\r\n--selo\r\n\r\n--\r\nContent-Disposition: form-data; name=label\r\n\r\n",
      );
      const { body } = await upload([filePart(file)]);
      expect(body).toMatchObject({ sha256: sha256(file), file_size: file.length, label: null });
    });

    test("may come before or after the label", async () => {
      for (const order of [0, 1]) {
        const file = randomBytes(10);
        const parts = [filePart(file), textPart("label", "Contrato de locação 🏠")];
        const { status, body } = await upload(order === 0 ? parts : parts.reverse());
        expect(status).toBe(201);
        expect(body).toMatchObject({ sha256: sha256(file), label: "Contrato de locação 🏠" });
      }
    });

    test("sent by fetch's own FormData is read the same", async () => {
      const form = new FormData();
      const file = randomBytes(1000);
      form.set("file", new Blob([file]), "relatório final (1).pdf");
      form.set("label", "linha 1\nlinha 2");
      const { status, body } = await call(selo, "POST", PATH, { token: organization.test, body: form });
      expect(status).toBe(201);
      expect(body).toMatchObject({ sha256: sha256(file), file_name: "relatório final (1).pdf", file_size: 1000 });
      expect(body.label.replace("\r", "")).toBe("linha 1\nlinha 2");
    });

    test("leaves nothing of itself in the database", async () => {
      const marker = `marker-${randomBytes(8).toString("hex")}`;
      await upload([filePart(marker)]);
      const { rows } = await selo.database.admin.query<{ found: number }>(
        "select count(*)::int as found from signature.proofs as proof where proof::text like '%' || $1 || '%'",
        [marker],
      );
      expect(rows[0]?.found).toBe(0);
      expect(selo.logs.join("")).not.toContain(marker);
    });
  });

  describe("file_name", () => {
    test.each([
      ["résumé – 履歴書 😀.pdf", "résumé – 履歴書 😀.pdf"],
      ["100%25 sure.pdf", "100%25 sure.pdf"],
      ["/etc/passwd", "passwd"],
      ["C:\\Users\\ana\\contract.pdf", "contract.pdf"],
      ["a%22b%22.pdf", 'a"b".pdf'],
      ["100%25%2522.pdf", "100%25%2522.pdf"],
      ["a%0a%0d%2F%5C%00.pdf", "a%0a%0d%2F%5C%00.pdf"],
      ["folder/a%22b.pdf", 'a"b.pdf'],
      ["a\\b.txt", "a\\b.txt"],
      ["\\server\\a.txt", "\\server\\a.txt"],
      ["a".repeat(255), "a".repeat(255)],
      ["ç".repeat(255), "ç".repeat(255)],
      ["😀".repeat(255), "😀".repeat(255)],
    ])("%s", async (sent, kept) => {
      const { status, body } = await upload([filePart(randomBytes(9), sent)]);
      expect({ status, name: body.file_name }).toEqual({ status: 201, name: kept });
      expect(body.evidence.file_name).toBe(kept);
    });

    test("is decoded as browsers and curl encode it", async () => {
      const form = new FormData();
      form.set("file", new Blob([randomBytes(9)]), 'the "final" 100%\\.pdf');
      const byFetch = await call(selo, "POST", PATH, { token: organization.test, body: form });
      expect(byFetch.body).toMatchObject({ file_name: 'the "final" 100%\\.pdf' });
      const { stdout } = await promisify(execFile)("curl", [
        ...["-sS", "-H", `authorization: Bearer ${organization.test}`, `${selo.baseUrl}/api/v1${PATH}`],
        ...["-F", `file=@${import.meta.filename};filename="the \\"final\\" 100%.pdf"`],
      ]);
      expect(JSON.parse(stdout)).toMatchObject({ file_name: 'the "final" 100%.pdf' });
    });

    test("with a line break is 422, in a form as in JSON", async () => {
      const rows = await countRows(selo);
      for (const sent of ["a%0Db.pdf", "a%0D%0Ab.pdf", "%0A.pdf"])
        expectError(await upload([filePart(randomBytes(9), sent)]), 422, "invalid_request", ["file"]);
      for (const file_name of ["a\rb.pdf", "a\n"]) {
        const body = { sha256: sha256(randomBytes(9)), file_name };
        const response = await call(selo, "POST", "/proofs", { token: organization.test, body });
        expectError(response, 422, "invalid_request", ["file_name"]);
      }
      expect(await countRows(selo)).toEqual(rows);
    });

    test("as filename* of RFC 5987", async () => {
      const disposition = "Content-Disposition: form-data; name=\"file\"; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.txt";
      const { status, body } = await upload([{ headers: [disposition], content: randomBytes(9) }]);
      expect({ status, name: body.file_name }).toEqual({ status: 201, name: "naïve €.txt" });
    });

    test.each([[], ["Content-Type: application/octet-stream"], ["Content-Type: text/plain"]])(
      "is null when the part has none %s",
      async (...types) => {
        const content = randomBytes(99);
        const { status, body } = await upload([
          { headers: ['Content-Disposition: form-data; name="file"', ...types], content },
        ]);
        expect({ status, name: body.file_name, sha256: body.sha256 }).toEqual({
          status: 201,
          name: null,
          sha256: createHash("sha256").update(content).digest("hex"),
        });
      },
    );

    test("of 256 characters is 422 naming the file, since a form has no file_name", async () => {
      const rows = await countRows(selo);
      expectError(await upload([filePart("x", "a".repeat(256))]), 422, "invalid_request", ["file"]);
      expectError(await upload([filePart("x", "😀".repeat(256))]), 422, "invalid_request", ["file"]);
      expect(await countRows(selo)).toEqual(rows);
    });

    test("that is not UTF-8 is refused rather than changed", async () => {
      const latin1 = {
        headers: ['Content-Disposition: form-data; name="file"; filename="a\u00e7\u00e3o.pdf"'],
        content: "x",
      };
      expectError(await upload([latin1]), 400, "malformed_request");
    });
  });

  describe("label", () => {
    test("of 200 code points is kept, of 201 is 422", async () => {
      const rows = await countRows(selo);
      expectError(
        await upload([textPart("label", "😀".repeat(201)), filePart(randomBytes(9))]),
        422,
        "invalid_request",
        ["label"],
      );
      expect(await countRows(selo)).toEqual(rows);
      const { status, body } = await upload([textPart("label", "😀".repeat(200)), filePart(randomBytes(9))]);
      expect({ status, label: body.label }).toEqual({ status: 201, label: "😀".repeat(200) });
    });

    test.each<[string, Parameters<typeof multipartBody>[0][number][], number, string]>([
      ["given twice", [textPart("label", "a"), textPart("label", "b")], 422, "label"],
      ["with NUL", [textPart("label", "a\0b")], 422, "label"],
      ["of 70,000 characters", [textPart("label", "a".repeat(70_000))], 422, "label"],
      ["sent as a file", [filePart("a", "label.txt", "label")], 422, "label"],
      [
        "sent as JSON",
        [
          {
            headers: ['Content-Disposition: form-data; name="label"', "Content-Type: application/json"],
            content: '{"a":1}',
          },
        ],
        422,
        "label",
      ],
      ["not UTF-8", [textPart("label", Buffer.from("a\u00e7\u00e3o", "latin1"))], 400, ""],
    ])("%s is refused", async (_, parts, status, field) => {
      const rows = await countRows(selo);
      const response = await upload([...parts, filePart(randomBytes(9))]);
      if (status === 422) expectError(response, 422, "invalid_request", [field]);
      else expectError(response, status, "malformed_request");
      expect(await countRows(selo)).toEqual(rows);
    });
  });

  describe("refused, and nothing is written", () => {
    type Parts = Parameters<typeof multipartBody>[0];
    test.each<[string, Parts, readonly string[]]>([
      ["no file", [textPart("label", "x")], ["file"]],
      ["two files", [filePart("a"), filePart("b")], ["file"]],
      ["three files", [filePart("a"), filePart("b"), filePart("c")], ["file"]],
      ["an unknown text field", [filePart("a"), textPart("sha256", "a".repeat(64))], ["sha256"]],
      ["file_name as a field", [filePart("a"), textPart("file_name", "b.pdf")], ["file_name"]],
      ["an unknown file field", [filePart("a"), filePart("b", "b.pdf", "other")], ["other"]],
      ["a field named __proto__", [filePart("a"), textPart("__proto__", "x")], [""]],
      ["a file named constructor", [filePart("a"), filePart("b", "b", "constructor")], [""]],
      ["too many fields", [...Array.from({ length: 30 }, (_, i) => textPart(`f${i}`, "x")), filePart("a")], [""]],
    ])("%s: 422", async (_, parts, fields) => {
      const rows = await countRows(selo);
      expectError(await upload(parts), 422, "invalid_request", fields);
      expect(await countRows(selo)).toEqual(rows);
    });

    const whole = multipartBody([textPart("label", "x"), filePart("content of the file")]);
    const contentType = whole.headers["content-type"] ?? "";
    test.each<[string, Uint8Array, string]>([
      ["an empty body", Buffer.alloc(0), contentType],
      ["a missing boundary parameter", whole.bytes, "multipart/form-data"],
      ["an empty boundary parameter", whole.bytes, "multipart/form-data; boundary="],
      ["another boundary than the body has", whole.bytes, "multipart/form-data; boundary=other"],
      ["a body without the last boundary", whole.bytes.subarray(0, -20), contentType],
      ["a body cut in the file", whole.bytes.subarray(0, whole.bytes.indexOf("of the file")), contentType],
      ["a body cut in a part's header", whole.bytes.subarray(0, whole.bytes.indexOf("filename=")), contentType],
      ["a body cut in the first boundary", whole.bytes.subarray(0, 5), contentType],
      ["only the last boundary", Buffer.from("--selo-boundary--\r\n"), contentType],
      ["bytes that are no multipart", randomBytes(1000), contentType],
      ["JSON", Buffer.from(`{"sha256":"${"a".repeat(64)}"}`), contentType],
      [
        "a part without a name",
        multipartBody([{ headers: ["Content-Disposition: form-data; filename=x"], content: "x" }]).bytes,
        contentType,
      ],
      ["a part without a disposition", multipartBody([{ headers: ["X-Nothing: 1"], content: "x" }]).bytes, contentType],
    ])("%s: 400", async (_, body, type) => {
      const rows = await countRows(selo);
      const response = await call(selo, "POST", PATH, {
        token: organization.test,
        body,
        headers: { "content-type": type },
      });
      expectError(response, 400, "malformed_request");
      expect(await countRows(selo)).toEqual(rows);
    });

    test.each([
      "multipart/mixed; boundary=selo-boundary",
      "multipart/related; boundary=selo-boundary",
      "application/x-www-form-urlencoded",
    ])("%s: 415", async (type) => {
      const response = await call(selo, "POST", PATH, {
        token: organization.test,
        body: whole.bytes,
        headers: { "content-type": type },
      });
      expectError(response, 415, "unsupported_media_type");
    });

    test("a sender who goes away in the middle leaves nothing, and others go on", async () => {
      const rows = await countRows(selo);
      const head = [
        `POST /api/v1${PATH} HTTP/1.1`,
        "Host: selo.test",
        `Authorization: Bearer ${organization.test}`,
        `Content-Type: ${contentType}`,
        `Content-Length: ${whole.bytes.length}`,
        "",
        "",
      ].join("\r\n");
      const cut = Buffer.concat([Buffer.from(head), whole.bytes.subarray(0, whole.bytes.length - 30)]);
      await sendRaw(selo, cut, "reset");
      expectError(await sendRaw(selo, cut, "half-close"), 400, "malformed_request");
      expect(await countRows(selo)).toEqual(rows);
      expect((await upload([filePart(randomBytes(9))])).status).toBe(201);
    });
  });

  describe("PROOF_MAX_FILE_BYTES", () => {
    test("a file of exactly as many bytes is taken", async () => {
      const { status, body } = await upload([filePart(randomBytes(MOST))]);
      expect({ status, size: body.file_size }).toEqual({ status: 201, size: MOST });
    });

    test("a file of one byte more is 413, also when its length is not announced", async () => {
      const rows = await countRows(selo);
      expectError(await upload([filePart(randomBytes(MOST + 1))]), 413, "too_large");
      const { bytes, headers } = multipartBody([filePart(randomBytes(MOST + 1))]);
      const pieces = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, i) =>
        bytes.subarray(i * 1000, (i + 1) * 1000),
      );
      expectError(await uploadChunked(pieces, headers), 413, "too_large");
      expect(await countRows(selo)).toEqual(rows);
    });

    test("exactly as many bytes by chunks are taken", async () => {
      const file = randomBytes(MOST);
      const { bytes, headers } = multipartBody([filePart(file)]);
      const { status, body } = await uploadChunked([bytes.subarray(0, 50_000), bytes.subarray(50_000)], headers);
      expect({ status, digest: body.sha256, size: body.file_size }).toEqual({
        status: 201,
        digest: sha256(file),
        size: MOST,
      });
    });

    test("an announced length far over the limit is refused before it is sent", async () => {
      const head = [
        `POST /api/v1${PATH} HTTP/1.1`,
        "Host: selo.test",
        `Authorization: Bearer ${organization.test}`,
        `Content-Type: ${contentTypeOf()}`,
        `Content-Length: ${MOST * 1000}`,
        "",
        "",
      ].join("\r\n");
      expectError(await sendRaw(selo, head), 413, "too_large");
    });

    test("an endless upload is answered without being read to its end", async () => {
      const { bytes, headers } = multipartBody([filePart(randomBytes(1000))]);
      const start = bytes.subarray(0, bytes.lastIndexOf("\r\n--selo-boundary"));
      let sent = 0;
      function* pieces() {
        yield start;
        for (; sent < 2_000; sent++) yield randomBytes(64 * 1024);
      }
      expectError(await uploadChunked(pieces(), headers), 413, "too_large");
      expect(sent).toBeLessThan(2_000);
    });

    test("who may not register is told so before a byte of the file is read", async () => {
      const reader = await organization.token("test", ["proofs:read"]);
      const head = (token: string) =>
        [
          `POST /api/v1${PATH} HTTP/1.1`,
          "Host: selo.test",
          `Authorization: Bearer ${token}`,
          `Content-Type: ${contentTypeOf()}`,
          "Content-Length: 90000",
          "",
          "",
        ].join("\r\n");
      expectError(await sendRaw(selo, head(reader)), 403, "missing_scope");
      expectError(await sendRaw(selo, head(`svc_test_${"A".repeat(43)}`)), 401, "unauthenticated");
    });
  });
});

function contentTypeOf(): string {
  return "multipart/form-data; boundary=selo-boundary";
}
