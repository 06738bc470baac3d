import { z } from "zod";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import type { ObjectPut } from "../../../adapters/object-put/object-sender.ts";
import { openConnectorSecret } from "./connector-secret.ts";

/** Where the objects of a connector go: signature.connector_target. */
export const connectorTarget = z.object({
  id: z.uuid(),
  environment: z.enum(["live", "test"]),
  endpoint: z.string(),
  region: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  access_key_id: z.string(),
  sealed_secret: z.base64(),
  now_ms: z.int(),
});

/** An object of a connector, with its name below the prefix. */
export type ConnectorObject = Pick<ObjectPut, "name" | "contentType" | "size" | "sha256" | "content">;

/**
 * Makes the PUTs of a connector's objects. The secret stays in here.
 * @param allowsLoopback WEBHOOK_ALLOW_LOOPBACK
 * @throws SecretError if no known master key decrypts the secret
 */
export function putsOf(
  { masterKeys, allowsLoopback }: { readonly masterKeys: MasterKeyring; readonly allowsLoopback: boolean },
  target: z.output<typeof connectorTarget>,
): (object: ConnectorObject) => ObjectPut {
  const { endpoint, region, bucket, prefix, access_key_id: accessKeyId } = target;
  const secret = openConnectorSecret(masterKeys, target.id, Buffer.from(target.sealed_secret, "base64"));
  const began = performance.now();
  return (object) => ({
    ...object,
    name: prefix === "" ? object.name : `${prefix}/${object.name}`,
    ...{ endpoint, region, bucket, accessKeyId, secret },
    allowLoopback: allowsLoopback && target.environment === "test",
    // By the clock of the database: that of this machine may be wrong.
    at: new Date(target.now_ms + performance.now() - began),
  });
}
