import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import { objectOf, type Schema } from "../../surfaces/openapi/schema.ts";

const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });

export const dnsDescription: ApiDescription = {
  tags: { Keys: "API keys of DNS are made and revoked by an operator: `selo dns-key`." },
  schemas: () => ({
    DnsMe: {
      description: "What an API key opens.",
      ...objectOf({
        org_id: { type: "integer", description: "The number of the organization, for the paths below `/orgs/`." },
        organization: { type: "string", description: "The organization's name." },
        prefix: { type: "string", pattern: "^dns_[0-9a-f]{8}$", description: "The beginning of the key." },
        scopes: { type: "array", items: { type: "string" }, description: "What the key may do." },
        limits: {
          description: "What the organization may have, and how much a request may ask.",
          ...objectOf({
            dns_zones: count("Zones, by the plan."),
            dns_records: count("Records of all zones together, by the plan."),
            requests_per_minute: count("Requests with this key in a minute."),
            json_bytes: count("The largest body of a request."),
          }),
        },
      }),
    },
  }),
};
