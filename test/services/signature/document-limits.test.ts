// Limits of uploads, and what other programs say of the files that are accepted.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Objects,
  ONE_PAGE,
  onePage,
  PAGE,
  pdf,
  pdfWithStreams,
  stream,
} from "../../adapters/pdf-check/pdf-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call, countRows, expectError } from "../../support/rest-client.ts";
import {
  formOf,
  ORDINARY,
  objectsOf,
  readyDocument,
  storedDocument,
  upload,
  uploadInGraphql,
} from "../../support/uploads.ts";

const MOST = ORDINARY.length + 100;

let selo: TestGateway;
let organization: TestOrganization;
let folder: string;
beforeAll(async () => {
  selo = await startTestGateway({ DOCUMENT_MAX_BYTES: String(MOST) });
  organization = await selo.newOrganization();
  await storedDocument(selo, organization.live); // from then on the organization has its data key
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-documents-"));
});
afterAll(async () => {
  await selo?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A file of so many bytes: comments between the header and the first object would move the objects, so the page has a longer name. */
function ofBytes(bytes: number): Buffer {
  const file = pdf(
    onePage({ objects: { 4: `(${"x".repeat(Math.max(0, bytes - pdf(onePage({ objects: { 4: "()" } })).length))})` } }),
  );
  expect(file.length).toBe(bytes);
  return file;
}

describe("DOCUMENT_MAX_BYTES", () => {
  test.each([
    ["one byte below it", MOST - 1],
    ["at it", MOST],
  ])("a file %s is taken", async (_, bytes) => {
    const { status, body } = await upload(selo, organization.live, ofBytes(bytes));
    expect({ status, size: body.size }).toEqual({ status: 201, size: bytes });
  });

  test("a file one byte over it is 413, and nothing is kept", async () => {
    const [before, stored] = [await countRows(selo), await objects()];
    expectError(await upload(selo, organization.live, ofBytes(MOST + 1)), 413, "too_large");
    expect((await uploadInGraphql(selo, organization.live, ofBytes(MOST + 1))).errors[0]?.extensions.code).toBe(
      "too_large",
    );
    expectError(await upload(selo, organization.live, Buffer.alloc(5_000_000)), 413, "too_large");
    expect(await countRows(selo)).toEqual(before);
    expect(await objects()).toEqual(stored);
  });
});

describe("a request that is refused for something else keeps nothing", () => {
  test.each([
    ["a second file", (form: FormData) => form.append("file", new Blob(["x"]), "b.pdf"), 422],
    ["an unknown member", (form: FormData) => form.append("title", "x"), 422],
  ] as const)("%s", async (_, add, status) => {
    const [before, stored] = [await countRows(selo), await objects()];
    const form = formOf(ORDINARY);
    add(form);
    expect((await call(selo, "POST", "/documents", { token: organization.live, body: form })).status).toBe(status);
    expect(await countRows(selo)).toEqual(before);
    expect(await objects()).toEqual(stored);
  });
});

describe("what other programs say of accepted files", () => {
  const page = (more: string): Objects => ({ ...ONE_PAGE, 3: PAGE.replace("/MediaBox [0 0 612 792]", more) });
  const files: readonly [string, Buffer][] = [
    ["one page", ORDINARY],
    ["A4 on its side", pdf(page("/MediaBox [0 0 595 842] /Rotate 90"))],
    ["upside down", pdf(page("/MediaBox [0 0 595 842] /Rotate 180"))],
    ["turned three times", pdf(page("/MediaBox [0 0 595 842] /Rotate 270"))],
    ["with a crop box", pdf(page("/MediaBox [0 0 612 792] /CropBox [100 50 400 650]"))],
    ["with a crop box, turned", pdf(page("/MediaBox [0 0 612 792] /CropBox [100 50 400 650] /Rotate 90"))],
    ["not at the origin", pdf(page("/MediaBox [-100 -50 500 742]"))],
    [
      "with object streams",
      pdfWithStreams(
        { 3: PAGE },
        { 1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>" },
      ),
    ],
    ["with content", pdf(onePage({ page: "/Contents 4 0 R", objects: { 4: stream("", "0 0 10 10 re f") } }))],
  ];

  test.each(files)("%s: qpdf --check finds nothing wrong, and pdfinfo tells the same size", async (_, file) => {
    const other = await startTestGatewayOnce();
    const { pages } = await readyDocument(other.selo, other.token, "a.pdf", file);
    const name = path.join(folder, "a.pdf");
    fs.writeFileSync(name, file);
    const checked = spawnSync("qpdf", ["--check", name], { encoding: "utf8" });
    expect(checked.status, checked.stderr).toBe(0);
    expect(pages).toEqual(sizesByPdfinfo(name));
  });

  let ordinary: { readonly selo: TestGateway; readonly token: string } | undefined;
  /** A gateway with the default limit. */
  async function startTestGatewayOnce() {
    if (ordinary === undefined) {
      const started = await startTestGateway();
      ordinary = { selo: started, token: (await started.newOrganization()).live };
    }
    return ordinary;
  }
  afterAll(() => ordinary?.selo.stop());

  /** Sizes of pages as they are displayed. pdfinfo tells the crop box without its rotation, and the rotation beside it. */
  function sizesByPdfinfo(name: string) {
    const text = execFileSync("pdfinfo", ["-f", "1", "-l", "9", name], { encoding: "utf8" });
    const rotations = [...text.matchAll(/^Page +\d+ rot: +(\d+)$/gm)].map(([, degrees]) => Number(degrees));
    return [...text.matchAll(/^Page +\d+ size: +([\d.]+) x ([\d.]+) pts/gm)].map(([, one, two], index) => {
      const [width, height] = [Number(one), Number(two)];
      return (rotations[index] ?? 0) % 180 === 0 ? { width, height } : { width: height, height: width };
    });
  }
});

async function objects(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of objectsOf(selo).list()) ids.push(id);
  return ids.sort();
}
