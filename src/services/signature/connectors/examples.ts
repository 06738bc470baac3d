import type { ExampleRequest } from "../../../surfaces/openapi/examples/example-request.ts";
import { UNKNOWN_ID } from "../../../surfaces/openapi/examples/files.ts";

const ARCHIVE = {
  name: "Archive",
  endpoint: "https://s3.sa-east-1.amazonaws.com",
  region: "sa-east-1",
  bucket: "acme-contracts",
  prefix: "selo",
  access_key_id: "AKIAIOSFODNN7EXAMPLE",
  secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

export const connectorExamples: readonly ExampleRequest[] = [
  { operation: "createConnector", name: "s3", summary: "A bucket of Amazon S3", caller: "live", body: ARCHIVE },
  {
    operation: "createConnector",
    name: "private_address",
    summary: "An address inside a network",
    caller: "live",
    body: { ...ARCHIVE, endpoint: "https://10.0.0.9:9000" },
  },
  {
    operation: "createConnector",
    name: "own_server",
    summary: "A server of your own, with the API of S3",
    caller: "live",
    body: { ...ARCHIVE, name: "Own server", endpoint: "https://storage.invalid:9000", region: "main" },
  },
  {
    operation: "testConnector",
    name: "unreachable",
    summary: "A storage whose name has no address",
    caller: "live",
    path: "/integrations/connectors/{createConnector.own_server.id}/test",
  },
  { operation: "listConnectors", name: "connectors", summary: "All connectors", caller: "live" },
  {
    operation: "getConnector",
    name: "connector",
    summary: "A connector: its secret is never shown",
    caller: "live",
    path: "/integrations/connectors/{createConnector.s3.id}",
  },
  {
    operation: "updateConnector",
    name: "prefix",
    summary: "Another prefix",
    caller: "live",
    path: "/integrations/connectors/{createConnector.s3.id}",
    body: { prefix: "selo/contracts" },
  },
  {
    operation: "testConnector",
    name: "no_such_connector",
    summary: "An id that no connector has",
    caller: "live",
    path: `/integrations/connectors/${UNKNOWN_ID}/test`,
  },
  {
    operation: "listConnectorDeliveries",
    name: "none",
    summary: "No package has been completed yet",
    caller: "live",
    path: "/integrations/connectors/{createConnector.s3.id}/deliveries?status=pending",
  },
  {
    operation: "replayConnector",
    name: "none",
    summary: "The packages of an hour in which no envelope was completed",
    caller: "live",
    path: "/integrations/connectors/{createConnector.s3.id}/replay",
    body: { since: "2100-01-01T00:00:00Z" },
  },
  {
    operation: "replayConnector",
    name: "too_early",
    summary: "More than 90 days ago",
    caller: "live",
    path: "/integrations/connectors/{createConnector.s3.id}/replay",
    body: { since: "2026-01-01T00:00:00Z" },
  },
  {
    operation: "disableConnector",
    name: "disabled",
    summary: "Disabled by hand",
    caller: "live",
    path: "/integrations/connectors/{createConnector.s3.id}/disable",
  },
  {
    operation: "enableConnector",
    name: "enabled",
    summary: "Enabled again",
    caller: "live",
    path: "/integrations/connectors/{createConnector.s3.id}/enable",
  },
  {
    operation: "deleteConnector",
    name: "deleted",
    summary: "A connector that is no longer needed",
    caller: "live",
    path: "/integrations/connectors/{createConnector.s3.id}",
  },
];
