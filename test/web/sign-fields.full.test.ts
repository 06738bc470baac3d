// The fields of sign-fields.test.ts, with each character of the first plane.
import "./sign-fields.test.ts";
