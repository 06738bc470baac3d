// Whether a participant may sign with a certificate, at the instant of the signatures and now.
import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { DnsResolver } from "../../../src/adapters/outgoing-http/resolver.ts";
import { createRevocationCache } from "../../../src/adapters/signer-certificate/revocation-cache.ts";
import { RevocationFetcher } from "../../../src/adapters/signer-certificate/revocation-fetcher.ts";
import { CertificateJudge } from "../../../src/services/signature/signing/certificate-judge.ts";
import { AUTHORITY, derOf, HOLDER, issue, rootsOf } from "../../adapters/signer-certificate/authority.ts";

const root = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC Raiz de Teste", extensions: AUTHORITY });
const judge = new CertificateJudge({
  roots: { live: [], test: await rootsOf(root) },
  revocation: { fetcher: new RevocationFetcher({ resolver: new DnsResolver([]) }), cache: createRevocationCache() },
  allowsLoopback: false,
  slots: new FairSlots(1),
});

/** The judgement at the last instant of a certificate that was issued now, for so many days. */
function judgedAtItsEnd(days: number, environment: "live" | "test" = "test") {
  const leaf = issue({ subject: "/CN=JOAO", issuer: root, extensions: HOLDER, days });
  const at = new X509Certificate(leaf.certificate).validToDate;
  return judge.judge({ tenantId: "a", environment, chain: [derOf(leaf)], at, cpf: null });
}

const refusal = (reason: string) => ({
  code: "certificate_refused",
  fields: [{ field: "certificate", message: expect.stringMatching(new RegExp(`^${reason}: `)) }],
});

test("a certificate that has ended since the instant of the signatures is refused", async () => {
  expect(await judgedAtItsEnd(1)).toMatchObject({ name: "JOAO", revocation: { status: "not_checked" } });
  await expect(judgedAtItsEnd(0)).rejects.toMatchObject(refusal("expired"));
});

test("what test trusts, live does not", async () => {
  await expect(judgedAtItsEnd(1, "live")).rejects.toMatchObject(refusal("chain"));
});
