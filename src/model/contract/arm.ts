import type { Effort } from "../../protocol/effort.ts";
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
  /** Levels of effort that it knows; absent or empty: none is asked for. */
  efforts?: readonly Effort[];
  /** It is offered `apply_patch` instead of `edit`. */
  patches?: boolean;
  /** Undefined when nobody knows; zero for local arms, unless a person has set one. */
  price?: Price;
}
