import type { FastifyInstance } from "fastify";
import { noSuchPath } from "../../../surfaces/http/errors.ts";
import type { Limits } from "../../../surfaces/http/limits.ts";
import type { AnswerPatience } from "../../../surfaces/http/stalled-reader.ts";
import type { FileAnswer } from "../../../surfaces/operation.ts";
import { sendFile } from "../../../surfaces/rest/send-file.ts";
import type { FileLinks, LinkedFile } from "./file-links.ts";

interface LinkedFilesParts {
  readonly fileLinks: FileLinks;
  readonly limits: Pick<Limits, "address">;
  readonly patience: AnswerPatience;
}

/** Finds the file of a link, by the other parameters of the path too; null if it is gone. */
export type FindLinkedFile = (
  linked: LinkedFile,
  parameters: Readonly<Record<string, string>>,
) => Promise<Pick<FileAnswer, "file" | "contentType" | "fileName"> | null>;

/**
 * The route of signed links, whose last part is `:token`: answers the file of a link, whole or in part. The link is all that its reader needs.
 * A token that was forged or altered, that is of another path, whose time is over or whose file is gone is 404, like a path that does not exist.
 */
export function serveLinkedFiles(
  app: FastifyInstance,
  path: `/${string}/:token`,
  { fileLinks, limits, patience }: LinkedFilesParts,
  find: FindLinkedFile,
): void {
  app.get<{ Params: { token: string } & Record<string, string> }>(path, {
    onRequest: async (request, reply) => limits.address(request.ip, reply),
    handler: async (request, reply) => {
      const { token, ...parameters } = request.params;
      const linked = fileLinks.read(linkPath(path, parameters), token);
      const found = linked === null ? null : await find(linked, parameters);
      if (found === null) throw noSuchPath();
      // A stranger may have written the file, and it comes from our origin: nothing of it may run.
      return sendFile(request, reply, { ...found, as: "attachment", isForeign: true }, patience);
    },
  });
}

/** The path of links below a route, without the token. */
export const linkPath = (route: `/${string}/:token`, parameters: Readonly<Record<string, string>> = {}): string =>
  `/api/v1${route.replace(/:token$/, "").replace(/:([a-z]+)/g, (_, name: string) => parameters[name] ?? "")}`;
