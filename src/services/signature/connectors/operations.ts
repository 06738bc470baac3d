import type { Operation } from "../../../surfaces/operation.ts";
import type { SignatureParts } from "../parts.ts";
import { createConnector } from "./create-connector.ts";
import { testConnector } from "./test-connector.ts";
import { updateConnector } from "./update-connector.ts";

/** Completed packages in the customer's own bucket: signature-service §5. */
export const connectorOperations: readonly Operation<SignatureParts>[] = [
  createConnector,
  {
    name: "listConnectors",
    command: "list_connectors",
    answers: { schema: "ConnectorPage" },
    rest: {
      method: "GET",
      path: "/integrations/connectors",
      status: 200,
      tag: "Connectors",
      summary: "List connectors, newest first",
    },
  },
  {
    name: "getConnector",
    command: "get_connector",
    answers: { schema: "Connector" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/integrations/connectors/{id}",
      status: 200,
      tag: "Connectors",
      summary: "Read a connector",
    },
  },
  updateConnector,
  {
    name: "deleteConnector",
    command: "delete_connector",
    answers: { nothing: "Removed." },
    errors: ["not_found"],
    rest: {
      method: "DELETE",
      path: "/integrations/connectors/{id}",
      status: 204,
      tag: "Connectors",
      summary: "Remove a connector",
      description: "Its deliveries go with it, also those that wait. What is in the bucket stays there.",
    },
  },
  {
    name: "enableConnector",
    command: "enable_connector",
    answers: { schema: "Connector" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/integrations/connectors/{id}/enable",
      status: 200,
      tag: "Connectors",
      summary: "Enable a connector",
      description:
        "Deliveries that wait are sent. Packages of envelopes that were completed while the connector was disabled are sent by a replay.",
    },
  },
  {
    name: "disableConnector",
    command: "disable_connector",
    answers: { schema: "Connector" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/integrations/connectors/{id}/disable",
      status: 200,
      tag: "Connectors",
      summary: "Disable a connector",
      description: "Deliveries wait until the connector is enabled. No new ones are queued.",
    },
  },
  testConnector,
  {
    name: "listConnectorDeliveries",
    command: "list_connector_deliveries",
    answers: { schema: "PackageDeliveryPage" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/integrations/connectors/{id}/deliveries",
      status: 200,
      tag: "Connectors",
      summary: "List deliveries of packages, newest first",
    },
  },
  {
    name: "replayConnector",
    command: "replay_connector",
    answers: { schema: "ConnectorReplay" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/integrations/connectors/{id}/replay",
      status: 202,
      tag: "Connectors",
      summary: "Deliver packages again",
      description:
        "Queues the packages of envelopes that were completed from `since` to before `until`: at most 90 days back, and at most 10,000. Objects keep their names and bytes.",
    },
  },
];
