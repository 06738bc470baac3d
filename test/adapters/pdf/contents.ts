import type { ReceiptContent } from "../../../src/adapters/pdf/receipt-content.ts";

/** A receipt's content as the service makes it, with changes. */
export function receiptContent(changes: Partial<ReceiptContent> = {}): ReceiptContent {
  const content = {
    language: "pt-BR",
    isTest: false,
    operator: { name: "Selo Serviços Digitais Ltda", details: "CNPJ 12.345.678/0001-90, São Paulo" },
    organization: "Acme Ltda",
    label: "Contrato nº 12",
    fileName: "contrato.pdf",
    fileSize: 184_320,
    sha256: "506ad2e50c15dde3c1e09c770aa4e043ee9111ef4eb6fd40a0845676855bfae4",
    registeredAt: "2026-11-21T22:23:34.346924Z",
    localTime: "2026-11-21T19:23:34.346924",
    utcOffset: "-03:00",
    timeZone: "America/Sao_Paulo",
    verificationCode: "GNS2-HPXT-CF41",
    verifyUrl: "https://selo.example/verify/GNS2-HPXT-CF41",
    keyIds: ["ed25519-01f9c38311e531f2", "ml-dsa-87-6f99a2142e8e455c"],
    ...changes,
  } as const;
  const payload = JSON.stringify({
    file_name: content.fileName,
    file_size: content.fileSize,
    hash_algorithm: "SHA-256",
    hybrid_policy: "AND",
    key_id: content.keyIds[0],
    kind: "existence_proof",
    label: content.label,
    organization: content.organization,
    pq_key_id: content.keyIds[1],
    proof_id: "01a20035-2c0b-736f-934b-d8964260e712",
    registered_at: "2026-11-21T22:23:34.346924+00:00",
    schema_version: 1,
    sha256: content.sha256,
    tenant_id: "01a20034-9dd7-7fb4-962c-e7b0f4e31ead",
    time_source: "platform_server_clock_utc",
    verification_code: content.verificationCode,
  });
  return { payload, evidence: Buffer.from(JSON.stringify({ payload })), ...content };
}

/** In UTC, so that local time and zone need no telling. */
export const IN_UTC = {
  localTime: "2026-11-21T22:23:34.346924",
  utcOffset: "+00:00",
  timeZone: "UTC",
} as const;
