import { type MemberRule, operationFacts } from "../../support/service-facts.ts";
import { GOOD, type Operation } from "./openapi-document.ts";

/** Good values of the members of JSON that an operation requires, and of one where it wants any; undefined where it reads no body. */
export function goodBody({ operationId, requestBody }: Operation): Record<string, unknown> | undefined {
  if (requestBody === undefined) return undefined;
  const own = operationFacts[operationId]?.body;
  if (own !== undefined) return { ...own };
  const { required, properties = {} } = requestBody.content["application/json"]?.schema ?? {};
  const names: readonly string[] = required ?? Object.keys(properties as object).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, GOOD[name]]));
}

/** What a service says of a member of an operation's body beside its schema. */
export const ruleOf = ({ operationId }: Operation, member: string): MemberRule | undefined =>
  operationFacts[operationId]?.rules?.[member];
