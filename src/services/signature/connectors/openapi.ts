import { pageOf } from "../../../surfaces/openapi/resources.ts";
import { objectOf, orNull, type Schema } from "../../../surfaces/openapi/schema.ts";

/** Headings of the paths of connectors. */
export const CONNECTOR_TAGS = {
  Connectors:
    "A connector writes the package of each completed envelope to your own bucket, on Amazon S3 or any storage with its API. " +
    "The objects are `{prefix}/{year}/{month}/{envelope_id}/{position}-{document_id}.pdf`, one for each sealed document, and `report.pdf`, the evidence report; year and month are those of the completion, in UTC. " +
    "Each object is one signed PUT, path style. Time-outs, resets, 408, 429 and 5xx are tried again: 14 times in 30 hours, the first after 10 seconds. " +
    "401, 403 and 404 disable the connector, and its deliveries wait; so does an answer that names a wrong region or bucket. Redirects and other 4xx fail the delivery. Clocks that differ (RequestTimeTooSkewed) are tried again. A delivery may write an object more than once, with the same bytes.",
};

const error: Schema = orNull(
  objectOf({
    status: { type: ["integer", "null"], description: "HTTP status of the answer. Null without an answer." },
    code: {
      type: "string",
      description:
        "The word of the storage, such as SignatureDoesNotMatch, NoSuchBucket or AccessDenied, if its answer has one. Otherwise http_status, redirect, timeout, dns_failed, address_refused, url_refused, connection_failed, connection_reset, tls_failed, protocol_error or response_too_large, as in attempts of webhooks; incomplete: the storage answered before it had the object; interrupted, unavailable: Selo could not finish the attempt.",
    },
  }),
);

/** Formats of columns. */
export const CONNECTOR_FORMATS: Readonly<Record<string, Schema>> = { package_error: error };

/** Schemas of answers. */
export const connectorSchemas = (row: (view: string) => Schema): Readonly<Record<string, Schema>> => ({
  Connector: row("connectors"),
  ConnectorPage: pageOf("Connector", "A page of connectors."),
  ConnectorTest: {
    description: "What came of a test.",
    ...objectOf({ ok: { type: "boolean", description: "Whether the object was stored." }, error }),
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
