/**
 * Why a signer's certificate is refused. `chain`: no sound chain to a root; `expired`: one of the path is not valid at the time; `usage`: not made to
 * sign documents; `key`: a key of the path is too weak or of a kind that is not accepted; `cpf`: of somebody else.
 */
export const REFUSALS = ["chain", "expired", "usage", "key", "cpf"] as const;

export type Refusal = (typeof REFUSALS)[number];

/** Most certificates of one signer. Chains of ICP-Brasil have three or four. */
export const MOST_CERTIFICATES = 10;
/** Most bytes of them together. */
export const MOST_CHAIN_BYTES = 64 * 1024;
/** Most addresses of one certificate that are asked, of each kind. */
export const MOST_OCSP_ADDRESSES = 2;
export const MOST_CRL_ADDRESSES = 3;
