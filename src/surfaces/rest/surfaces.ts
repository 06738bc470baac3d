import type { ServedService } from "../served-service.ts";
import { apiV1 } from "./api-v1.ts";
import { routesOf } from "./route.ts";
import type { RestSurface } from "./surface.ts";

/** The surface of a route, or of a service's own routes. */
export const surfaceOf = ({ surface }: { readonly surface?: RestSurface | undefined }): RestSurface => surface ?? apiV1;

/** Every surface that services have paths on, the main one first. */
export function surfacesOf(
  services: readonly Pick<ServedService<never>, "operations" | "ownRoutesSurface">[],
): RestSurface[] {
  const named = services.flatMap(({ operations, ownRoutesSurface }) => [
    ...routesOf([{ operations: operations ?? [] }]).map(surfaceOf),
    ...(ownRoutesSurface === undefined ? [] : [ownRoutesSurface]),
  ]);
  return [...new Set([apiV1, ...named])];
}

/** The surface of a URL: the innermost of nested surfaces; null outside all surfaces. */
export function surfaceAt(surfaces: readonly RestSurface[], url: string): RestSurface | null {
  const path = url.replace(/\?.*$/s, "");
  const around = surfaces.filter(
    ({ prefix, isOnePath = false }) => path === prefix || (!isOnePath && path.startsWith(`${prefix}/`)),
  );
  return around.sort((one, other) => other.prefix.length - one.prefix.length)[0] ?? null;
}
