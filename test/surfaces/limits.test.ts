import { commands } from "../../src/postgres/generated/commands.ts";
import { services } from "../../src/services/services.ts";
import { testLimits } from "../support/limits.ts";

// `GET /webhooks/listen` names kinds of events in a form of its own, and gateways of v0.1.0 alone call search_proofs.
testLimits(
  services as never,
  commands,
  [],
  [
    // The signing surface asks them: completion.test.ts.
    "decline_envelope.reason",
    "open_webhook_stream.event_types",
    "prepare_completion.consent_version",
    "record_completion.consent_version",
    "search_proofs.search",
    "search_proofs.limit",
    "search_proofs.offset",
  ],
);
