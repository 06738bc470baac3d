// Every file is read by the program.
import "./read-pkcs12.test.ts";
