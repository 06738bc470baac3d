import { access, each, type Step } from "grafast";
import type {} from "graphile-build-pg";
import type { PgCodec, PgCodecWithAttributes } from "postgraphile/@dataplan/pg";

/** `@shape DocumentPage A page of a document.` */
const SHAPE = /^(?<name>\w+) (?<description>.+)$/s;
/** `@part width Float Width as displayed, in points.` */
const PART = /^(?<member>\w+) (?<type>Float|Int|Boolean|String) (?<description>.+)$/s;

type Row = Step & { get(column: string): Step };

interface Shape {
  readonly name: string;
  readonly description: string;
  readonly parts: readonly { readonly member: string; readonly type: string; readonly description: string }[];
}

/**
 * A column of JSON that is a list of objects of one shape has a type of GraphQL. The comment of the column says so: `@shape DocumentPage Words`, and a line for each
 * member, which none of the objects lacks: `@part width Float Words`.
 */
export const ShapesPlugin: GraphileConfig.Plugin = {
  name: "ShapesPlugin",
  schema: {
    hooks: {
      init(_, build) {
        for (const codec of Object.values(build.pgCodecs))
          for (const column of Object.keys(codec.attributes ?? {})) {
            const shape = shapeOf(codec, column);
            if (shape === null) continue;
            build.registerObjectType(
              shape.name,
              {},
              () => ({ description: shape.description, fields: () => fieldsOf(build, shape) }),
              "ShapesPlugin",
            );
          }
        return _;
      },
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
        const column = Object.keys(codec.attributes).find((name) => codec.attributes?.[name] === pgFieldAttribute);
        const shape = column === undefined ? null : shapeOf(codec, column);
        if (shape === null || column === undefined) return field;
        const { GraphQLList, GraphQLNonNull } = build.graphql;
        const type = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(build.getOutputTypeByName(shape.name))));
        return {
          ...field,
          type,
          plan: ($row: Row) => each($row.get(column) as Step<readonly unknown[]>, ($one) => $one),
        };
      },
    },
  },
};

function shapeOf(codec: PgCodec, column: string): Shape | null {
  const tags = codec.attributes?.[column]?.extensions?.tags ?? {};
  if (tags["shape"] === undefined) return null;
  const { name = "", description = "" } = SHAPE.exec(String(tags["shape"]))?.groups ?? {};
  const parts = [tags["part"]]
    .flat()
    .map((tag) => PART.exec(String(tag))?.groups as Shape["parts"][number] | undefined);
  if (name === "" || parts.some((part) => part === undefined))
    throw new Error(
      `${codec.name}.${column}: @shape must name a type with words, and each @part a member, its type and words`,
    );
  return { name, description, parts: parts.filter((part) => part !== undefined) };
}

function fieldsOf(build: GraphileBuild.Build, { parts }: Shape) {
  const { GraphQLNonNull } = build.graphql;
  return Object.fromEntries(
    parts.map(({ member, type, description }) => [
      build.inflection.camelCase(member),
      {
        description,
        type: new GraphQLNonNull(build.getOutputTypeByName(type)),
        plan: ($one: Step) => access($one, member),
      },
    ]),
  );
}
