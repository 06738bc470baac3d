// Started as a thread: what it renders is what it is given.
import { renderOrders } from "../../../src/adapters/pdf/rendering.ts";

renderOrders(async (content: string) => Buffer.from(content));
