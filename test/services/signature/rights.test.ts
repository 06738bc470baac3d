// What the service lets whom do. A right that is not here is refused.
import { signature } from "../../../src/services/signature/service.ts";
import { testRights } from "../../support/service-rights.ts";

testRights(signature, {
  commands: {
    "*": ["keep_data_key", "read_data_key"],
    anyone: ["find_proof_of_digest", "find_public_proof"],
    "documents:read": ["find_download", "get_document", "list_documents"],
    "documents:write": ["delete_document", "prepare_document", "record_document"],
    "proofs:read": ["get_proof", "list_proofs", "prepare_receipt", "search_proofs"],
    "proofs:write": ["prepare_proofs", "record_proofs"],
  },
  views: {
    "api.proofs": ["analytics.proofs"],
    "documents:read": ["api.documents"],
    "proofs:read": ["analytics.proofs_per_day", "api.proofs", "api.public_proofs"],
  },
  logins: {
    selo_analyst: ["signature.public_evidence"],
    selo_app: ["gateway.find_file", "gateway.find_proofs", "signature.public_evidence"],
    selo_worker: [
      "jobs.environments_with_unverified_proofs",
      "jobs.overdue_documents",
      "jobs.proof_alarms",
      "jobs.read_signatures",
    ],
  },
  // The enum of GraphQL.
  loginsOnTables: ["selo_app select signature.document_statuses"],
  systemOnTables: [
    "select signature.data_keys",
    "select signature.documents",
    "select signature.proofs",
    "select signature.unverified_proofs",
    "update signature.data_keys (sealed_key)",
  ],
  tables: {
    ofEnvironments: ["signature.data_keys", "signature.documents", "signature.proofs", "signature.unverified_proofs"],
    ofOrganizations: [],
    lookUps: [],
    ofNobody: ["signature.document_reasons", "signature.document_statuses"],
    refuse: {
      "signature.proofs": "delete, update, truncate",
    },
  },
  unrecorded: {
    "gateway.keep_data_key": "a key of the deployment's own, which nobody sees; what it encrypts is recorded",
    "jobs.end_document_check": "how many times a check began; its result is recorded by signature.settle_document",
    "jobs.record_verifications": "a job's findings about what has its event",
  },
  refusedToGateway: [
    "select gateway.record_proofs('[]')",
    "select gateway.run_command('record_proofs', '{}')",
    "select gateway.find_public_proof('7Q2M-K9XT-4HBC')",
    "select gateway.find_proof_of_digest('00')",
    "select gateway.prepare_receipt(null)",
    "select signature.public_proof(null, 'live', null)",
    "select signature.find_earliest_proof('00')",
    "select signature.search_proofs(null, 'live', 'x', 1)",
    "select signature.search_proofs_within(null, 'live', 'x', null, null, null, null, 1)",
    "select gateway.proofs_chosen('{}', '{id}')",
    "select * from signature.proofs",
    "select * from signature.documents",
    "select gateway.find_download(gen_random_uuid())",
    "select gateway.record_document('a', gen_random_uuid(), 1, '00', 'ready')",
    "select api.delete_document(gen_random_uuid())",
    "select jobs.overdue_documents()",
    "select * from signature.data_keys",
    "select gateway.read_data_key()",
    "select gateway.keep_data_key('00')",
    "select * from gateway.search_proofs('x')",
    "insert into api.proofs (id) values (gen_random_uuid())",
  ],
});
