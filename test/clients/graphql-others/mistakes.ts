// What tsc must refuse: each line below its comment is an error, or tsc says that it is none.
import type { ResultOf, VariablesOf } from "gql.tada";
import type { seloListQuery } from "./__generated__/seloListQuery.graphql.ts";
import type { seloRegisterMutation } from "./__generated__/seloRegisterMutation.graphql.ts";
import { graphql } from "./tada.ts";

const Proofs = graphql(`query Proofs($first: Int!) { proofs(first: $first) { nodes { id label } } }`);
const Endpoints = graphql(`{ webhookEndpoints { nodes { status } } }`);

// @ts-expect-error a number of another type
export const tadaVariables: VariablesOf<typeof Proofs> = { first: "2" };
// @ts-expect-error a number of another type
export const relayVariables: seloListQuery["variables"] = { first: "2" };

// @ts-expect-error a field that was not asked for
export const tadaField = ({ proofs }: ResultOf<typeof Proofs>) => proofs.nodes[0]?.verifyUrl;
// @ts-expect-error a field that only the fragment has
export const relayField = ({ proofs }: seloListQuery["response"]) => proofs.edges[0]?.node.label;

// @ts-expect-error a field that may be null
export const tadaLabel = ({ proofs }: ResultOf<typeof Proofs>): string => proofs.nodes[0]?.label;
// @ts-expect-error a member that is missing
export const relayInput: seloRegisterMutation["variables"]["input"] = { label: "x" };

// @ts-expect-error a value that the enum has not
export const tadaEnum: ResultOf<typeof Endpoints>["webhookEndpoints"]["nodes"][number]["status"] = "active";
