// What relay-compiler reads. Babel's plugin would put what it makes of them in the places of these documents; relay.ts imports that by name.
import { graphql } from "relay-runtime";

export const documents = () => [
  graphql`
    query seloListQuery($first: Int!, $after: Cursor) {
      proofs(first: $first, after: $after) @connection(key: "selo_proofs") {
        edges {
          node {
            id
            ...seloRow_proof
          }
        }
      }
    }
  `,
  graphql`
    fragment seloRow_proof on Proof @refetchable(queryName: "seloProofQuery") {
      label
      registeredAt
    }
  `,
  graphql`
    fragment seloPages_query on Query
    @refetchable(queryName: "seloPagesQuery")
    @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "Cursor" }) {
      envelopes(first: $first, after: $after) @connection(key: "seloPages_envelopes") {
        edges {
          node {
            id
            status
          }
        }
      }
    }
  `,
  graphql`
    query seloSinceQuery($since: Datetime!) {
      proofs(first: 200, filter: { registeredAt: { greaterThan: $since } }, orderBy: REGISTERED_AT_ASC) {
        nodes {
          id
        }
      }
    }
  `,
  graphql`
    mutation seloRegisterMutation($input: RegisterProofInput!, $connections: [ID!]!) {
      registerProof(input: $input) {
        created
        proof @prependNode(connections: $connections, edgeTypeName: "ProofEdge") {
          id
          nodeId
          sha256
          label
        }
      }
    }
  `,
  graphql`
    mutation seloUploadMutation($input: UploadProofInput!) {
      uploadProof(input: $input) {
        proof {
          sha256
          fileName
        }
      }
    }
  `,
  graphql`
    mutation seloRemoveMutation($id: ID!) {
      deleteWebhook(input: { id: $id }) {
        done
      }
    }
  `,
];
