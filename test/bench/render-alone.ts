/** Its own process that does nothing but render receipts: the limit of receipts per second on one core. */
import { renderReceipt } from "../../src/adapters/pdf/receipt.ts";

const milliseconds = Number(process.argv[2]);
const payload = JSON.stringify({ evidence: "of the usual length ".repeat(30) });
const content = {
  language: "en",
  isTest: false,
  operator: { name: "Selo Serviços Digitais Ltda", details: "CNPJ 12.345.678/0001-90, São Paulo" },
  organization: "Acme Ltda.",
  label: "benchmark",
  fileName: "contract.pdf",
  fileSize: 184_320,
  sha256: "0123456789abcdef".repeat(4),
  registeredAt: "2026-11-20T12:34:56.123456Z",
  localTime: "2026-11-20T09:34:56.123456",
  utcOffset: "-03:00",
  timeZone: "America/Sao_Paulo",
  verificationCode: "7Q2M-K9XT-4HBC",
  verifyUrl: "http://localhost:4000/verify/7Q2M-K9XT-4HBC",
  keyIds: ["ed25519-0123456789abcdef", "ml-dsa-87-0123456789abcdef"],
  payload,
  evidence: Buffer.alloc(12_000, payload),
} as const;
const started = performance.now();
let rendered = 0;
while (performance.now() - started < milliseconds) {
  await renderReceipt(content);
  rendered++;
}
console.log(rendered / ((performance.now() - started) / 1_000));
