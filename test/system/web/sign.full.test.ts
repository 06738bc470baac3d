// The signing page of sign.test.ts, the whole way in both languages.
import "./sign.test.ts";
