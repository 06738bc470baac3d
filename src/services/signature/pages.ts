import type { ServicePages } from "../../surfaces/web/service-pages.ts";
import { SHAPES } from "../../verifier/evidence-form.ts";
import { readSample } from "./proofs/read-sample.ts";

const ALWAYS = ["database", "migrations", "public_url", "keys"];

/** The pages that verify proofs and envelopes, and the page on which a participant signs. */
export const signaturePages: ServicePages = {
  list: [
    { path: "/verify" },
    {
      path: "/verify/:code",
      // The addresses are those of src/web/verify/service.ts. A code in another form may lead to no request of that script.
      preloads: ({ code = "" }) =>
        SHAPES.verification_code.test(code) ? [`/api/v1/public/proofs/${code}`, "/api/v1/public/platform-key"] : [],
    },
    // The address names a participant. The secret of the link stands in the fragment, which browsers do not send.
    { path: "/sign/:participant_id", isPrivate: true },
  ],
  needs: { proofs: ALWAYS, signatures: [...ALWAYS, "certificates", "storage"] },
  readSample,
};
