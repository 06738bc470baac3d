// Whether a participant may sign with a certificate, at the instant of the signatures and now.
import { X509Certificate } from "node:crypto";
import { expect, test, vi } from "vitest";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { DnsResolver } from "../../../src/adapters/outgoing-http/resolver.ts";
import { createRevocationCache } from "../../../src/adapters/signer-certificate/revocation-cache.ts";
import { RevocationFetcher } from "../../../src/adapters/signer-certificate/revocation-fetcher.ts";
import type { AppError } from "../../../src/errors/app-error.ts";
import { CertificateJudge } from "../../../src/services/signature/signing/certificate-judge.ts";
import { AUTHORITY, derOf, HOLDER, issue, rootsOf } from "../../adapters/signer-certificate/authority.ts";

const root = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC Raiz de Teste", extensions: AUTHORITY });
const slots = new FairSlots(1);
const judge = new CertificateJudge({
  roots: { live: [], test: await rootsOf(root) },
  revocation: {
    fetcher: new RevocationFetcher({ resolver: new DnsResolver([]) }),
    cache: createRevocationCache(),
    slots,
  },
  allowsLoopback: false,
  slots,
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

test("a certificate that was accepted is judged once for the same instant, number and chain, and not for others", async () => {
  const [leaf, other] = [1, 1].map((days) => issue({ subject: "/CN=JOAO", issuer: root, extensions: HOLDER, days }));
  if (leaf === undefined || other === undefined) throw new Error("no certificate");
  const at = new X509Certificate(leaf.certificate).validToDate;
  const run = vi.spyOn(slots, "run");
  const processesOf = async (more: object) => {
    run.mockClear();
    const given = { tenantId: "a", environment: "test" as const, chain: [derOf(leaf)], at, cpf: null, ...more };
    const outcome = await judge.judge(given).then(
      ({ judged }) => judged.path,
      (error: AppError) => error.code,
    );
    return [
      run.mock.calls.length,
      typeof outcome === "string" ? outcome : outcome[0]?.equals(given.chain[0] as Buffer),
    ];
  };
  expect(await processesOf({})).toEqual([1, true]);
  expect(await processesOf({})).toEqual([0, true]);
  expect(await processesOf({ tenantId: "b" })).toEqual([0, true]);
  expect(await processesOf({ at: new Date(at.getTime() - 1) })).toEqual([1, true]);
  expect(await processesOf({ chain: [derOf(other)] })).toEqual([1, true]);
  // What is refused is judged each time.
  for (const more of [{ environment: "live" }, { cpf: "52998224725" }, { cpf: "52998224725" }])
    expect(await processesOf(more)).toEqual([1, "certificate_refused"]);
  expect(await processesOf({})).toEqual([0, true]);
});
