// The sample service, in an OpenAPI document with all examples of the product's services beside its own.
import "./sample-service.test.ts";
