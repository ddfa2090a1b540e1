export { boils } from "./boils.js";
