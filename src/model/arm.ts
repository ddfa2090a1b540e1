import type { Price } from "./pricing.ts";
import type { Provider } from "./provider.ts";

/** A model that can be asked. */
export interface Arm {
  /** `provider/model` */
  name: string;
  model: string;
  provider: Provider;
  contextWindow: number;
  maxOutput: number;
  /** Undefined when nobody knows; zero for local arms, unless a person has set one. */
  price?: Price;
}
