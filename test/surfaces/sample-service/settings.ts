import { z } from "zod";
import { postgresUrl, wholeNumber } from "../../../src/config/config-values.ts";
import { setting } from "../../../src/config/setting.ts";

export const noteSettings = z.object({
  NOTES_MOST: setting(wholeNumber(1, 100_000).default(1_000), {
    meaning: "how many notes an organization may have in each environment",
    inDatabase: "most_notes",
  }),
  NOTES_MAX_FILE_BYTES: setting(wholeNumber(1, 1_000_000_000).default(10_000_000), {
    meaning: "how large the file of a note may be",
  }),
  NOTES_DATABASE_URL: setting(postgresUrl.optional(), {
    meaning: "connection of the login `selo_notes`, which reads the figures",
    isLogin: true,
  }),
});
