import { minifyIntrospection, outputIntrospectionFile } from "gql.tada/internal";
import { buildSchema, introspectionFromSchema } from "graphql";

/** The types of a GraphQL schema, for pages: gql.tada reads from them what a document answers. */
export function graphqlTypes(schema: string): string {
  const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(schema)));
  return outputIntrospectionFile(introspection, { fileType: ".d.ts", shouldPreprocess: true });
}
