import { services } from "../../src/services/services.ts";
import { type Route, routesOf } from "../../src/surfaces/rest/route.ts";

/** Every documented path of all services. */
export const routes: readonly Route[] = routesOf(services) as readonly Route[];
