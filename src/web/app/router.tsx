import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from "@tanstack/react-router";
import { Forgot } from "./door/forgot.tsx";
import { Welcome } from "./door/welcome.tsx";
import { Broken, Loading, Nowhere } from "./panel/nowhere.tsx";
import { Panel } from "./panel/panel.tsx";

const root = createRootRoute({ component: Outlet });
/** Whatever asks for a session. */
const panel = createRoute({ getParentRoute: () => root, id: "panel", component: Panel });

const doors = [
  createRoute({ getParentRoute: () => root, path: "/password", component: Forgot }),
  createRoute({ getParentRoute: () => root, path: "/welcome", component: Welcome }),
  createRoute({
    getParentRoute: () => root,
    path: "/invitation",
    component: lazyRouteComponent(() => import("./door/invitation.tsx"), "AcceptInvitation"),
  }),
] as const;

/** Each area is a separate part. The browser loads it when somebody goes there. */
const areas = [
  createRoute({
    getParentRoute: () => panel,
    path: "/",
    component: lazyRouteComponent(() => import("./home/home.tsx"), "Home"),
  }),
  createRoute({
    getParentRoute: () => panel,
    path: "/account",
    component: lazyRouteComponent(() => import("./account/account.tsx"), "Account"),
  }),
  createRoute({
    getParentRoute: () => panel,
    path: "/members",
    component: lazyRouteComponent(() => import("./members/members.tsx"), "Members"),
  }),
  createRoute({
    getParentRoute: () => panel,
    path: "/tokens",
    component: lazyRouteComponent(() => import("./tokens/tokens.tsx"), "Tokens"),
  }),
  createRoute({
    getParentRoute: () => panel,
    path: "/dns-keys",
    component: lazyRouteComponent(() => import("./tokens/dns-keys.tsx"), "DnsKeys"),
  }),
  createRoute({
    getParentRoute: () => panel,
    path: "/organization",
    component: lazyRouteComponent(() => import("./organization/organization.tsx"), "Organization"),
  }),
  createRoute({ getParentRoute: () => panel, path: "/$", component: Nowhere }),
] as const;

const routes = root.addChildren([...doors, panel.addChildren([...areas])]);

export function appRouter() {
  return createRouter({
    routeTree: routes,
    basepath: "/app",
    // What stands on the page says that it is loading.
    defaultPendingMs: 0,
    defaultPreload: "intent",
    defaultPendingComponent: Loading,
    defaultErrorComponent: Broken,
    scrollRestoration: false,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof appRouter>;
  }
}
