import type { Evidence } from "../../verifier/evidence.ts";

export const CODE = "GNS2-HPXT-CF41";
export const FINGERPRINT = "506ad2e50c15dde3c1e09c770aa4e043ee9111ef4eb6fd40a0845676855bfae4";
export const LONG_NAME = `${"a-name-without-a-place-to-break-".repeat(4)}.pdf`;

/** Evidence of which only members are shown. */
function evidenceOf(members: Evidence["members"]): Evidence {
  return { payload: null, members, redacted: [], signatures: [], keys: [] };
}

const RECORDED = {
  registered_at: "2026-11-21T22:23:34.000000+00:00",
  organization: "Acme Ltda",
  label: "Contract with the landlord",
  file_name: "contract.pdf",
  sha256: FINGERPRINT,
  verification_code: CODE,
};
export const RECORD = evidenceOf(RECORDED);
/** What its forger made of it. */
export const CLAIM = evidenceOf({ ...RECORDED, organization: "Acme Limitada", file_name: LONG_NAME });
