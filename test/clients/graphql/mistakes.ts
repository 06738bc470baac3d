// What tsc must refuse: each line below its comment is an error, or tsc says that it is none.
import type { ProofsPageQuery, ProofsPageQueryVariables, RegisterProofMutationVariables } from "./generated.ts";
import type { Proof, WebhookDelivery, WebhookEndpoint } from "./schema-types.ts";

// @ts-expect-error a number of another type
export const variables: ProofsPageQueryVariables = { first: "2" };

// @ts-expect-error a member that is missing
export const input: RegisterProofMutationVariables = { input: { label: "x" } };

// @ts-expect-error a field that was not asked for
export const verifyUrlOf = ({ proofs }: ProofsPageQuery) => proofs?.nodes[0]?.verifyUrl;

// @ts-expect-error a field that may be null
export const labelOf = ({ label }: Proof): string => label;

// @ts-expect-error a value that the enum has not
export const status: WebhookEndpoint["status"] = "active";

// @ts-expect-error an object that may be gone
export const urlOf = ({ webhook }: WebhookDelivery): string => webhook.url;
