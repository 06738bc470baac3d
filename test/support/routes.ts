import { services } from "../../src/services/services.ts";
import { apiV1 } from "../../src/surfaces/rest/api-v1.ts";
import { type Route, routesOf } from "../../src/surfaces/rest/route.ts";
import { isDescribed } from "../../src/surfaces/rest/surface.ts";
import { surfaceOf } from "../../src/surfaces/rest/surfaces.ts";

/** Every documented path of all services, on every surface that has a document. Others have their own forms. */
export const everyRoute: readonly Route[] = (routesOf(services) as readonly Route[]).filter((route) =>
  isDescribed(surfaceOf(route)),
);

/** Those on the main surface. */
export const routes: readonly Route[] = everyRoute.filter((route) => surfaceOf(route) === apiV1);

/** The path of a route below the host, whose parameters are still in braces. */
const wholePathOf = (route: Route): string => surfaceOf(route).prefix + route.path;

/** Whether a path below the host is one of a route. */
export const isPathOf = (route: Route, path: string): boolean =>
  new RegExp(`^${wholePathOf(route).replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
