import type { ApiDescription } from "../../../src/surfaces/openapi/api-description.ts";

export const noteDescription: ApiDescription = {
  tags: { Notes: "Words that an organization wants to keep, and to be reminded of." },
  schemas: () => ({}),
};
