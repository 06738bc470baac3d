// The A1 certificate of a test's issuer, made once in a process: a key of RSA takes long.
import { makeA1, makeAuthority } from "../../../src/adapters/tax-authority/simulator/demo-certificates.ts";
import { ISSUER } from "./invoicing-stage.ts";

export const PASSWORD = "segredo";

let made: Promise<Buffer> | null = null;

/** Its PKCS#12 file. */
export function a1File(): Promise<Buffer> {
  made ??= makeAuthority(new Date()).then(async (authority) => {
    const { p12 } = await makeA1(authority, { cnpj: ISSUER.cnpj, name: ISSUER.name, password: PASSWORD });
    return p12;
  });
  return made;
}

/** The form of POST /issuers/{id}/certificate. */
export async function certificateForm(): Promise<FormData> {
  const form = new FormData();
  form.set("password", PASSWORD);
  form.set("file", new Blob([new Uint8Array(await a1File())]), "a1.pfx");
  return form;
}
