// What served.test.ts says of a zone, after more random steps.
import "./served.test.ts";
