import type { RoleName } from "../api/auth.ts";

/** From the least to the most. */
export const ROLES: readonly RoleName[] = ["accountant", "member", "admin", "owner"];

/** As GraphQL calls them. */
export const GRAPH_ROLES = { accountant: "ACCOUNTANT", member: "MEMBER", admin: "ADMIN", owner: "OWNER" } as const;

/** Roles that somebody in this role may give: none above the own one. */
export const rolesUpTo = (own: RoleName): readonly RoleName[] => ROLES.slice(0, ROLES.indexOf(own) + 1);

/** Whether somebody in this role may change a person in the other. The service decides again. */
export const ranksAtLeast = (own: RoleName, other: RoleName): boolean => ROLES.indexOf(own) >= ROLES.indexOf(other);

/** Whether somebody in this role may take the second factor off another person in the other. */
export const mayTakeFactorOff = (own: RoleName, other: RoleName): boolean =>
  own === "owner" || ROLES.indexOf(own) > ROLES.indexOf(other);

/** Whether a member has a second factor. The service says `missing` only where the organization demands one. */
export const hasFactor = (secondFactor: string): boolean => secondFactor !== "none" && secondFactor !== "missing";
