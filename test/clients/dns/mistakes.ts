// What must not compile: each line below an expectation has a mistake.
import createClient from "openapi-fetch";
import { createDnsRecord, createDnsZone } from "./hey-api/index.ts";
import type { paths } from "./openapi-fetch/selo.ts";

const selo = createClient<paths>();
const path = { org_id: 1, zone_id: 1 };

// @ts-expect-error: a zone has a name
void createDnsZone({ path: { org_id: 1 }, body: {} });
// @ts-expect-error: a TTL is a number
void createDnsRecord({ path, body: { name: "www", type: "A", content: "192.0.2.1", ttl: "300" } });
// @ts-expect-error: no such path
void selo.GET("/orgs/{org_id}/domains");
const body = { sets: [{ name: "www", type: "A" }] };
// @ts-expect-error: a set has records
void selo.PUT("/orgs/{org_id}/zones/{zone_id}/records", { params: { path }, body });
