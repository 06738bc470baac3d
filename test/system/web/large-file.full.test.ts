// The large file of large-file.test.ts, with 1 GB.
import "./large-file.test.ts";
