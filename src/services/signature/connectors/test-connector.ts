import { createHash } from "node:crypto";
import { z } from "zod";
import { operation } from "../parts.ts";
import { connectorTarget, putsOf } from "./connector-target.ts";
import { packageError } from "./package-error.ts";

const TEXT = Buffer.from("Selo can write to this bucket.\n", "utf8");

/** What a test answers. */
export const connectorTest = z.object({
  ok: z.boolean().meta({ description: "Whether the object was stored." }),
  error: packageError.nullable().meta({ description: "Why it was not. Null if it was." }),
});

/** Writes a small object to the storage of a connector, and says what came of it. */
export const testConnector = operation({
  name: "testConnector",
  command: "find_connector_target",
  records: "record_connector_test",
  answers: { schema: "ConnectorTest" },
  errors: ["not_found"],
  rest: {
    method: "POST",
    path: "/integrations/connectors/{id}/test",
    status: 200,
    tag: "Connectors",
    summary: "Test a connector",
    description:
      "Writes `selo-test.txt` below the prefix, also while the connector is disabled. A failure is answered and changes nothing.",
  },
  graphql: {
    description: "Writes selo-test.txt below the prefix of a connector, also while it is disabled.",
    payload: {
      name: "TestConnectorPayload",
      description: "What came of the test.",
      members: connectorTest,
    },
  },
  run: ({ prepared, call, parts }, { id }) =>
    prepared("find_connector_target", { id }, async (body) => {
      const put = putsOf(parts, connectorTarget.parse(body));
      const outcome = await parts.connectorTester.put(
        put({
          name: "selo-test.txt",
          contentType: "text/plain",
          size: TEXT.length,
          sha256: createHash("sha256").update(TEXT).digest("hex"),
          content: async function* () {
            yield TEXT;
          },
        }),
      );
      return call("record_connector_test", { id, ...outcome });
    }),
});
