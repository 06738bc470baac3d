import path from "node:path";
import { webAppFolder } from "../surfaces/web/build.ts";
import { FILES_FOLDER } from "../surfaces/web/built-files.ts";

/** The file that the home page offers to try. */
export const sampleFile = () => path.join(webAppFolder(), FILES_FOLDER, "sample/contract.txt");
