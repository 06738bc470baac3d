import { lambda, type Step } from "grafast";
import type {} from "graphile-build-pg";
import type { PgCodec, PgCodecWithAttributes } from "postgraphile/@dataplan/pg";
import { z } from "zod";
import type { ServedService } from "../../served-service.ts";
import { type ColumnShape, columnShape } from "../payload-types.ts";
import { CommandRowStep } from "./command-row.ts";

/** By the names of the formats. */
export type Shapes = ReadonlyMap<string, ColumnShape>;

/** The formats of the services that are shapes. */
export async function shapesOf(services: readonly Pick<ServedService, "openapi">[]): Promise<Shapes> {
  const described = await Promise.all(services.map(({ openapi }) => openapi?.()));
  const formats = described.flatMap((description) => Object.entries(description?.formats ?? {}));
  return new Map(
    formats.flatMap(([name, format]) =>
      format instanceof z.ZodType ? [[name, columnShape(name, format)] as const] : [],
    ),
  );
}

type Row = Step & { get(column: string): Step };

/** A column of JSON whose `@format` is a shape has the type of the shape. The description of REST has the same shape. */
export const shapesPlugin = (shapes: Shapes): GraphileConfig.Plugin => ({
  name: "ShapesPlugin",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field(field, build, { scope }) {
        const {
          isPgClassType,
          pgCodec: codec,
          pgFieldAttribute,
        } = scope as {
          isPgClassType?: boolean;
          pgCodec?: PgCodec;
          pgFieldAttribute?: PgCodecWithAttributes["attributes"][string];
        };
        if (!isPgClassType || pgFieldAttribute === undefined || codec?.attributes == null) return field;
        const shape = shapes.get(String(pgFieldAttribute.extensions?.tags?.["format"]));
        const column = Object.keys(codec.attributes).find((name) => codec.attributes?.[name] === pgFieldAttribute);
        if (shape === undefined || column === undefined) return field;
        const { GraphQLList, GraphQLNonNull, isNonNullType } = build.graphql;
        const one = build.getOutputTypeByName(shape.name);
        const type = shape.isList ? new GraphQLList(new GraphQLNonNull(one)) : one;
        return {
          ...field,
          type: isNonNullType(field.type) ? new GraphQLNonNull(type) : type,
          plan: ($row: Row) =>
            shape.made === null ? new CommandRowStep($row.get(column)) : lambda($row.get(column), shape.shown, true),
        };
      },
    },
  },
});
