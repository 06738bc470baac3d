import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { sealConnectorSecret } from "./connector-secret.ts";
import { secretMember, storageEndpoint } from "./storage-endpoint.ts";

/** Changes the given members of a connector. TypeScript checks a new address and encrypts a new secret. */
export const updateConnector = operation({
  name: "updateConnector",
  command: "update_connector",
  made: ["is_loopback", "sealed_secret"],
  input: z.object({ secret: secretMember.optional() }),
  answers: { schema: "Connector" },
  errors: ["not_found"],
  rest: {
    method: "PATCH",
    path: "/integrations/connectors/{id}",
    status: 200,
    tag: "Connectors",
    summary: "Change a connector",
    description: "Only the given members change. Deliveries that wait use them, too.",
  },
  graphql: {
    description: "Changes the given members of a connector. Deliveries that wait use them, too.",
    payload: {
      name: "UpdateConnectorPayload",
      description: "The changed connector.",
      members: z.object({ connector: rowOf("connectors").meta({ description: "The connector." }) }),
    },
  },
  run: ({ call, parts }, { secret, ...input }) => {
    const address = input.endpoint == null ? {} : storageEndpoint(input.endpoint, parts.allowsLoopback);
    const sealed =
      secret === undefined ? {} : { sealed_secret: sealConnectorSecret(parts.masterKeys, input.id, secret) };
    return call("update_connector", { ...input, ...address, ...sealed });
  },
});
