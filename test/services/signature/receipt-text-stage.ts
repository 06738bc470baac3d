// Receipts with long and rare texts, for tests.
import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { nameAsBefore, type TestGateway } from "../../support/gateway.ts";
import { type ReadReceipt, readReceipt, scanReceipt } from "../../support/receipt-reader.ts";
import { call } from "../../support/rest-client.ts";

export interface Texts {
  readonly name?: string;
  readonly label?: string | null;
  readonly file_name?: string;
}

export const ENVIRONMENTS = ["live", "test"] as const;
type Environment = (typeof ENVIRONMENTS)[number];

/** A receipt in English of a live proof, or in Portuguese and watermarked of a test proof. */
export async function receiptOf(
  selo: TestGateway,
  { name = "Acme", ...members }: Texts,
  environment: Environment = "live",
): Promise<Buffer> {
  const organization = await selo.newOrganization({ language: environment === "live" ? "en" : "pt-BR" });
  await nameAsBefore(selo, organization.id, name);
  const token = organization[environment];
  const body = { sha256: randomBytes(32).toString("hex"), file_size: 2 ** 53 - 1, ...members };
  const made = await call(selo, "POST", "/proofs", { token, body });
  expect(made.status).toBe(201);
  const receipt = await call(selo, "GET", `/proofs/${made.body.id}/receipt`, { token });
  expect(receipt.status).toBe(200);
  return receipt.bytes;
}

export const payloadOf = ({ evidence }: ReadReceipt): string => JSON.parse(evidence).payload;

/** The longest texts that are taken, of one character each, by what it is. */
export const LONGEST: readonly (readonly [string, string])[] = [
  ["W", "W"],
  ["i", "i"],
  ["spaces", " "],
  ["quotes, which are escaped", '"'],
  ["control characters, six characters each", "\u0001"],
  ["line ends", "\n"],
  ["Chinese", "漢"],
  ["emoji", "😀"],
  ["Arabic", "ع"],
  ["combining marks", "\u0301"],
  ["what no font has", "\u{10fffd}"],
];

/** Expects that 255, 200 and 255 of a character fit on one page, with everything else in its place. */
export async function expectOnePage(selo: TestGateway, character: string, environment: Environment): Promise<void> {
  // The name of a file has one line.
  const ofFile = character === "\n" ? " " : character;
  const texts = { name: character.repeat(255), label: character.repeat(200), file_name: ofFile.repeat(255) };
  const pdf = await receiptOf(selo, texts, environment);
  const receipt = readReceipt(pdf);
  const payload = JSON.parse(payloadOf(receipt));
  expect(receipt.info["Pages"]).toBe("1");
  expect(payload).toMatchObject({ organization: texts.name, label: texts.label, file_name: texts.file_name });
  // By itself, in the address, as the last member of the payload, and at the foot of the page. (Where most of a page runs
  // from right to left, pdftotext turns the quotes around.)
  const flat = receipt.text.replaceAll(/[\s\u202a-\u202c]/g, "");
  expect(flat.split(payload.verification_code)).toHaveLength(5);
  // In two lines, the first of which stands beside the row's name.
  for (const half of payload.sha256.match(/.{32}/g)) expect(flat).toContain(half);
  expect(scanReceipt(pdf)).toBe(`http://selo.test/verify/${payload.verification_code}`);
}
