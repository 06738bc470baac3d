import { MasterKeyring } from "../../src/adapters/crypto/master-keyring.ts";
import { TEST_MASTER_KEY } from "./global-setup.ts";

/** The ring of {@link TEST_MASTER_KEY} alone. */
export const masterKeys = new MasterKeyring(Buffer.from(TEST_MASTER_KEY, "hex"));
