import { services } from "../../src/services/services.ts";
import type { Route } from "../../src/surfaces/rest/route.ts";

/** Every documented path of all services. */
export const routes: readonly Route[] = services.flatMap((service): readonly Route[] => service.routes ?? []);
