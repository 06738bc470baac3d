import type { Jobs, Queries } from "../../postgres/jobs.ts";
import { newSalt, passwordTag } from "./sign-in/password-tag.ts";

/** A person of an organization, just added. */
export interface AddedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly language: string;
  readonly role: string;
  readonly has_password: boolean;
  /** When the link runs out; null if the person got none. */
  readonly link_expires_at: Date | null;
}

export interface NewUser {
  readonly tenantId: string;
  readonly email: string;
  readonly role: string;
  /** The part of the address before the @ by default. */
  readonly name?: string | undefined;
  /** That of the organization by default. */
  readonly language?: string | undefined;
  /** SHA-256 of the secret of a link, in hexadecimal: a person without a password gets the link. */
  readonly linkSha256?: string;
}

/** @throws AppError 422 invalid_request, 409 conflict for a person who belongs to the organization already */
export async function createUser(
  database: Queries,
  { tenantId, email, role, name, language, linkSha256 }: NewUser,
): Promise<AddedUser> {
  const [user] = await database.query<AddedUser>("select * from accounts.create_user($1, $2, $3, $4, $5, $6)", [
    tenantId,
    email,
    role,
    name ?? null,
    language ?? null,
    linkSha256 ?? null,
  ]);
  if (user === undefined) throw new Error("accounts.create_user answered no row");
  return user;
}

/** A member of an organization. */
export interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly joined_at: Date;
  readonly last_used_at: Date | null;
  readonly has_password: boolean;
  /** Open sessions in the organization. */
  readonly sessions: number;
}

/** The members of an organization, by their addresses. */
export const listUsers = (database: Queries, tenantId: string): Promise<ListedUser[]> =>
  database.query("select * from accounts.list_users($1)", [tenantId]);

/** A link that sets the password of a person, just made. */
export interface ResetUser {
  readonly email: string;
  readonly link_expires_at: Date;
}

/**
 * Makes a link that sets the password of a person.
 * @param linkSha256 SHA-256 of its secret, in hexadecimal
 * @throws AppError 404 not_found
 */
export async function resetUser(database: Queries, email: string, linkSha256: string): Promise<ResetUser> {
  const [made] = await database.query<ResetUser>("select * from accounts.reset_user($1, $2)", [email, linkSha256]);
  if (made === undefined) throw new Error("accounts.reset_user answered no row");
  return made;
}

/**
 * Takes the second factors of a person away, with the recovery codes.
 * @returns false for a person without one
 * @throws AppError 404 not_found
 */
export async function removeUserFactors(database: Queries, email: string): Promise<boolean> {
  const [row] = await database.query<{ removed: boolean }>("select accounts.remove_user_factors($1) as removed", [
    email,
  ]);
  return row?.removed ?? false;
}

/**
 * Ends all sessions of a person.
 * @returns how many there were
 * @throws AppError 404 not_found
 */
export async function signOutUser(database: Queries, email: string): Promise<number> {
  const [row] = await database.query<{ ended: number }>("select accounts.sign_out_user($1) as ended", [email]);
  return row?.ended ?? 0;
}

/** Sets a password without a link, for people whom the deployment itself makes. */
export async function setPassword(database: Queries, personId: string, password: string): Promise<void> {
  const [parameters] = await database.query<{ memory: number; passes: number; parallelism: number }>(
    "select memory, passes, parallelism from accounts.password_parameters()",
  );
  if (parameters === undefined) throw new Error("accounts.password_parameters answered no row");
  const salt = newSalt();
  const tag = passwordTag(password, { salt, ...parameters });
  await database.query("select accounts.set_password($1, decode($2, 'hex'), decode($3, 'hex'), false)", [
    personId,
    salt,
    tag,
  ]);
}

/** Ends the sessions of all people, and deletes all links and invitations. */
export async function endAllSessions(database: Queries): Promise<void> {
  await database.query("select accounts.end_all_sessions()");
}

/** Mails a link that somebody asked for, if it is of a person who belongs to an organization. */
export async function mailPasswordLink(jobs: Jobs, linkId: string): Promise<void> {
  await jobs.query("select jobs.mail_password_link($1)", [linkId]);
}

/** Deletes sessions that ran out a week ago, and links that are over. */
export async function sweepOldSessions(jobs: Jobs): Promise<void> {
  await jobs.query("select jobs.sweep_sessions()");
}
