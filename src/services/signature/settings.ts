import { z } from "zod";
import { wholeNumber } from "../../config/config-values.ts";
import { setting } from "../../config/setting.ts";

/** Where a provider is asked. It gets personal data, so nobody may read along: without TLS on this machine alone. */
const provider = z
  .string()
  .max(2048)
  .refine(
    isProviderAddress,
    "must be an https:// address without name and password; http:// on a loopback address alone",
  )
  .optional();

/** What a header may carry. */
const bearer = z
  .string()
  .regex(/^[!-~]{1,4096}$/, "must be visible ASCII characters")
  .optional();

const file = z.string().min(1).max(4096).optional();

export const proofSettings = z.object({
  PROOF_MAX_FILE_BYTES: setting(wholeNumber(1, Number.MAX_SAFE_INTEGER).default(2 * 1024 ** 3), {
    meaning:
      "largest file hashed for a proof, in bytes; GraphQL uploads pass through the system's temporary folder, REST uploads do not",
  }),
  DOCUMENT_CHECK_WAIT_SECONDS: setting(wholeNumber(1, 60).default(3), {
    meaning:
      "seconds that the answer to an upload waits for the check of its document. A document that takes longer is returned as `processing`",
    // However busy the machine is: the example of an upload is ready.
    inExamples: "60",
  }),
  ICP_BRASIL_ROOTS: setting(z.string().min(1).max(4096).optional(), {
    meaning:
      "a folder with the authorities (PEM or DER) whose certificates participants of modality qualificada sign with; set it for `migrate` and gateway. Without it, envelopes with that modality cannot be sent in live",
    inDatabase: "icp_brasil_roots_live",
  }),
  ICP_BRASIL_TEST_ROOTS: setting(z.string().min(1).max(4096).optional(), {
    meaning: "the same for test. `npm start` makes its own authorities where this is not set",
    inDatabase: "icp_brasil_roots_test",
  }),
  DOCUMENT_MAX_BYTES: setting(wholeNumber(1, 50 * 1024 ** 2).default(50 * 1024 ** 2), {
    meaning: "largest document to be signed, in bytes; the check of PDFs takes no larger ones than the default",
  }),
  SEAL_CERTIFICATE_FILE: setting(file, {
    meaning:
      "a PEM file with your own certificate, which seals PDFs of live, and after it the certificates that issued it, each by the next; for the gateway and the worker",
    shown: "Selo's own",
  }),
  SEAL_KEY_FILE: setting(file, {
    meaning: "a PEM file with the private key of that certificate: RSA from 2048 bits, without a password",
  }),
  TSA_URL: setting(
    z
      .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
      .max(2048)
      .optional(),
    {
      meaning:
        "a time-stamp authority (RFC 3161), which gives the seals of final documents of live their time; with name and password in it where the authority wants them",
    },
  ),
  TSA_CA_FILE: setting(file, {
    meaning: "a PEM file with the root certificates of that authority's time stamps; must be set with `TSA_URL`",
  }),
  KBA_URL: setting(provider, {
    meaning:
      "a service that asks participants about themselves; set it for `migrate` and gateway. Without it, envelopes with `auth_method` kba cannot be sent in live",
    inDatabase: "kba_url",
  }),
  KBA_TOKEN: setting(bearer, { meaning: "the bearer token for `KBA_URL`" }),
  IDENTITY_URL: setting(provider, {
    meaning:
      "a service that compares a person with what it knows; set it for `migrate` and gateway. Without it, envelopes with `auth_method` identity_match cannot be sent in live",
    inDatabase: "identity_url",
  }),
  IDENTITY_TOKEN: setting(bearer, { meaning: "the bearer token for `IDENTITY_URL`" }),
  TSA_REQUIRED: setting(z.enum(["0", "1"]).default("0"), {
    meaning:
      "`1`: an envelope of live waits until each of its final documents has a time stamp. Otherwise it is completed without one, and its evidence says so",
  }),
});

function isProviderAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return username === "" && password === "" && (protocol === "https:" || (protocol === "http:" && isHere));
}
