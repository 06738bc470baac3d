import { pageOf } from "../../../surfaces/openapi/resources.ts";
import { type Formats, objectOf, type Schema, schemaOf } from "../../../surfaces/openapi/schema.ts";
import { packageError } from "./package-error.ts";
import { connectorTest } from "./test-connector.ts";

/** Headings of the paths of connectors. */
export const CONNECTOR_TAGS = {
  Connectors:
    "A connector writes the package of each completed envelope to your own bucket, on Amazon S3 or any storage with its API. " +
    "The objects are `{prefix}/{year}/{month}/{envelope_id}/{position}-{document_id}.pdf`, one for each sealed document, and `report.pdf`, the evidence report; year and month are those of the completion, in UTC. " +
    "Each object is one signed PUT, path style. Time-outs, resets, 408, 429 and 5xx are tried again: 14 times in 30 hours, the first after 10 seconds. " +
    "401, 403 and 404 disable the connector, and its deliveries wait; so does an answer that names a wrong region or bucket. Redirects and other 4xx fail the delivery. Clocks that differ (RequestTimeTooSkewed) are tried again. A delivery may write an object more than once, with the same bytes.",
};

/** Formats of columns. */
export const CONNECTOR_FORMATS: Formats = { package_error: packageError };

/** Schemas of answers. */
export const connectorSchemas = (row: (view: string) => Schema): Readonly<Record<string, Schema>> => ({
  Connector: row("connectors"),
  ConnectorPage: pageOf("Connector", "A page of connectors."),
  ConnectorTest: {
    description: "What came of a test.",
    ...schemaOf(connectorTest),
  },
  PackageDelivery: row("package_deliveries"),
  PackageDeliveryPage: pageOf("PackageDelivery", "A page of deliveries."),
  ConnectorReplay: {
    description: "The result of a replay.",
    ...objectOf({
      queued: {
        type: "integer",
        minimum: 0,
        maximum: 10_000,
        description: "Number of packages that will be delivered.",
      },
    }),
  },
});
