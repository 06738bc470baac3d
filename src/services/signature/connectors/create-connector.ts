import { z } from "zod";
import { newId } from "../../../adapters/crypto/new-id.ts";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { sealConnectorSecret } from "./connector-secret.ts";
import { secretMember, storageEndpoint } from "./storage-endpoint.ts";

/** Makes a connector. TypeScript checks its address and encrypts its secret. */
export const createConnector = operation({
  name: "createConnector",
  command: "create_connector",
  made: ["id", "is_loopback", "sealed_secret"],
  input: z.object({ secret: secretMember }),
  answers: { schema: "Connector" },
  rest: {
    method: "POST",
    path: "/integrations/connectors",
    status: 201,
    tag: "Connectors",
    summary: "Add a connector",
    description:
      "From now on, the package of each envelope that is completed is written to the bucket. Test the connector next. The secret is kept encrypted and never shown. An organization may have 10 connectors in each environment.",
  },
  graphql: {
    description: "Adds a connector to a storage. Each environment has at most 10 connectors.",
    payload: {
      name: "CreateConnectorPayload",
      description: "The added connector.",
      members: z.object({ connector: rowOf("connectors").meta({ description: "The connector." }) }),
    },
  },
  run: ({ call, parts }, { secret, ...input }) => {
    const address = storageEndpoint(input.endpoint, parts.allowsLoopback);
    const id = newId();
    const sealed_secret = sealConnectorSecret(parts.masterKeys, id, secret);
    return call("create_connector", { ...input, ...address, id, sealed_secret }, 201);
  },
});
