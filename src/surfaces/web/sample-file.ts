import path from "node:path";
import { webAppFolder } from "./build.ts";
import { FILES_FOLDER } from "./built-files.ts";

/** The file that the home page offers to try. */
export const sampleFile = () => path.join(webAppFolder(), FILES_FOLDER, "sample/contract.txt");
