import { X509Certificate } from "node:crypto";
import { cnpjOf } from "../certificates/other-names.ts";

/**
 * The CNPJ that an ICP-Brasil certificate (e-CNPJ) was issued for; null when it names none.
 * @param pem the certificate in PEM
 */
export function cnpjOfCertificate(pem: string): string | null {
  return cnpjOf(new X509Certificate(pem).raw);
}
