import type { SampleMail } from "../../support/service-facts.ts";

/** A mail of each kind and each of its forms, by the name of the form, as SQL hands them to the worker. */
export const sampleMails: Readonly<Record<string, SampleMail>> = {
  "token-created": {
    kind: "token_created",
    data: {
      name: "almoxarifado",
      prefix: "svc_live_Ab3dEf",
      scopes: ["proofs:read", "proofs:write"],
      expires_at: "2027-11-21T22:23:00.000000Z",
    },
  },
  // Nothing in it has a place to break.
  "token-created-long": {
    kind: "token_created",
    data: { name: "x".repeat(100), prefix: "svc_test_Ab3dEf", scopes: ["proofs:read"], expires_at: null },
    environment: "test",
  },
  "token-revoked": { kind: "token_revoked", data: { name: "almoxarifado", prefix: "svc_live_Ab3dEf" } },
};
