import type { z } from "zod";
import type { FileInput } from "../operation.ts";
import { type Form, type Route, takesNoBody } from "../rest/route.ts";
import type { RecordedExample } from "./examples/recorded-example.ts";
import { type Member, membersOf, objectOf, ref, type Schema } from "./schema.ts";

/** The name of the schema of an operation's body (RegisterProofRequest), or of its form (RegisterProofForm). */
const schemaName = ({ operation }: Route, kind: "Request" | "Form") =>
  `${operation.charAt(0).toUpperCase()}${operation.slice(1)}${kind}`;

/** A request body with the schemas that it refers to, by name. */
interface RequestBody {
  readonly body: object;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** The body that a route reads, for each content type; null if it reads none. */
export function requestBodyOf(
  route: Route,
  schemas: Readonly<Record<string, Schema>>,
  recorded: readonly RecordedExample[],
): RequestBody | null {
  const { body, multipart, answers, of } = route;
  const { file } = of;
  if (body === undefined && multipart === undefined) return null;
  const form = multipart?.isDescribed ? multipart : undefined;
  // A member that the resource also has means the same in a request.
  const resource = "schema" in answers ? schemas[answers.schema] : undefined;
  const columns = (resource?.["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const describe = (members: readonly Member[]) =>
    members.map((member) => ({
      ...member,
      schema: inWords({ description: columns[member.name]?.["description"], ...member.schema }),
    }));
  const good = recorded.filter(({ status }) => status < 300);
  const json = good.flatMap(({ name, summary, body: value }) =>
    value === undefined ? [] : [{ name, summary, value }],
  );
  const forms = good.flatMap(({ name, summary, form }) =>
    form === undefined ? [] : [{ name, summary, value: { file: form.file?.text, ...form.fields } }],
  );
  const content: Record<string, object> = {};
  const own: Record<string, Schema> = {};
  if (body !== undefined) {
    const name = schemaName(route, "Request");
    own[name] = { description: `The body of ${route.operation}.`, ...closed(describe(membersOf(body))) };
    content["application/json"] = { schema: ref(name), ...named(json) };
  }
  if (form !== undefined && file !== undefined) {
    const name = schemaName(route, "Form");
    const schema = formSchema(form, fileMember(file.kept, form.asJson), describe);
    own[name] = { description: `The form of ${route.operation}.`, ...schema };
    content["multipart/form-data"] = { schema: ref(name), ...named(forms) };
  }
  return { body: { required: !takesNoBody(route), content }, schemas: own };
}

/** Each value once, under the name of the first example that sent it. */
function named(examples: readonly { readonly name: string; readonly summary: string; readonly value: unknown }[]) {
  const values = examples.map(({ value }) => JSON.stringify(value));
  const distinct = examples.filter((_, place) => values.indexOf(values[place] ?? "") === place);
  if (distinct.length === 0) return {};
  return { examples: Object.fromEntries(distinct.map(({ name, ...example }) => [name, example])) };
}

/** A schema that refuses unknown members. */
function closed(members: readonly Member[]): Schema {
  return {
    ...objectOf(
      Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
      members.filter(({ required }) => !required).map(({ name }) => name),
    ),
    additionalProperties: false,
  };
}

/** @param json the same request as JSON; null if JSON is not possible */
function fileMember(kept: FileInput<never>["kept"], json: z.ZodObject | null): Member {
  // If JSON has a file_name, a file provides it.
  const mostCharacters = (json === null ? [] : membersOf(json)).find(({ name }) => name === "file_name")?.schema[
    "maxLength"
  ];
  const named = mostCharacters === undefined ? "" : `, with an optional name of at most ${mostCharacters} characters`;
  return {
    name: "file",
    required: true,
    schema: {
      type: "string",
      contentMediaType: "application/octet-stream",
      // The form of OpenAPI 3.0 for the same, which many programs still expect.
      format: "binary",
      description: `The file${named}.${kept === "digest" ? " It is hashed as it arrives and is not stored." : ""}`,
    },
  };
}

function formSchema(form: Form, file: Member, describe: (members: readonly Member[]) => Member[]): Schema {
  // A form has text where JSON has text or null.
  const fields = describe(membersOf(form.fields)).map((member) => ({ ...member, schema: withoutNull(member.schema) }));
  return closed([file, ...fields]);
}

/**
 * A schema of a request whose default stands in its description: generators of types take a member with the keyword `default` for one that is
 * always there, which is true of answers, and so ask every caller for it.
 */
function inWords({ default: preset, description, ...rest }: Schema): Schema {
  const { properties, items } = rest;
  const within = {
    ...rest,
    ...(properties === undefined
      ? {}
      : { properties: mapped(properties as Readonly<Record<string, Schema>>, inWords) }),
    ...(items === undefined ? {} : { items: inWords(items as Schema) }),
  };
  const words = [description, preset === undefined ? undefined : `Default: \`${JSON.stringify(preset)}\`.`];
  const said = words.filter((each) => each !== undefined).join(" ");
  return said === "" ? within : { description: said, ...within };
}

const mapped = (members: Readonly<Record<string, Schema>>, change: (schema: Schema) => Schema) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, change(schema)]));

function withoutNull(schema: Schema): Schema {
  const { type } = schema;
  return Array.isArray(type) ? { ...schema, type: type.find((each) => each !== "null") } : schema;
}
