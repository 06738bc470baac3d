import { services } from "../../src/services/services.ts";
import { apiV1 } from "../../src/surfaces/rest/api-v1.ts";
import { type Route, routesOf } from "../../src/surfaces/rest/route.ts";
import { surfaceOf } from "../../src/surfaces/rest/surfaces.ts";

/** Every documented path of all services on the main surface. Services test their paths on other surfaces themselves. */
export const routes: readonly Route[] = (routesOf(services) as readonly Route[]).filter(
  (route) => surfaceOf(route) === apiV1,
);
