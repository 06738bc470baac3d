import { z } from "zod";
import { MOST_PKCS12_BYTES, Pkcs12Error, readPkcs12 } from "../../../adapters/certificates/read-pkcs12.ts";
import { networkOf } from "../../../adapters/ip-addresses.ts";
import { invalidRequest, unavailable } from "../../../errors/app-error.ts";
import { rowOf } from "../../../surfaces/operation.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { operation } from "../parts.ts";
import { sealIssuerKey } from "./issuer-key.ts";

/** Gives an issuer the certificate in a PKCS#12 file. The key is kept encrypted, the password nowhere. */
export const putIssuerCertificate = operation({
  name: "putIssuerCertificate",
  command: "prepare_issuer_certificate",
  records: "record_issuer_certificate",
  isKeyless: true,
  input: z.object({ password: wireText(255).meta({ description: "Password of the file." }) }),
  file: { most: () => MOST_PKCS12_BYTES, kept: "bytes" },
  answers: { schema: "InvoiceIssuer" },
  errors: ["not_found"],
  rest: {
    method: "POST",
    path: "/issuers/{id}/certificate",
    session: true,
    takes: "file",
    status: 200,
    tag: "Issuers",
    summary: "Give an issuer its certificate",
    description:
      "Takes the PKCS#12 file (`.pfx` or `.p12`, up to 64 KiB) of an A1 certificate with its password: RSA of at least 2,048 bits, valid today, of the CNPJ of the issuer. Selo keeps the key encrypted and never the password.",
  },
  graphql: {
    description: "Gives an issuer the certificate in a PKCS#12 file.",
    payload: {
      name: "PutIssuerCertificatePayload",
      description: "The issuer.",
      members: z.object({ issuer: rowOf("invoice_issuers").meta({ description: "The issuer." }) }),
    },
  },
  run: async ({ call, file, parts, requester }, { id, password }) => {
    await call("prepare_issuer_certificate", { id });
    if (file?.content == null) throw new Error("the form has a file");
    const { content } = file;
    const group = networkOf(requester.origin.address);
    const read = await parts.certificateSlots
      .run(group, () => readPkcs12(content, password))
      .catch((error: unknown) => {
        throw error instanceof Pkcs12Error
          ? invalidRequest([{ field: error.member, message: error.message }])
          : unavailable(error);
      });
    return call("record_issuer_certificate", {
      id,
      chain: [read.certificate, ...read.chain],
      sealed_key: sealIssuerKey(parts.masterKeys, id, read.key),
      subject: read.subject,
      issuer: read.issuer,
      serial: read.serial,
      sha256: read.sha256,
      not_before: read.not_before.toISOString(),
      not_after: read.not_after.toISOString(),
      cnpj: read.cnpj,
    });
  },
});
