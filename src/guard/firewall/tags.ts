/** Tags that the firewall adds to an assessment: the action itself carries a secret, or the placeholder of one. */
export const secretInArguments = "secret-in-arguments";
export const secretInContent = "secret-in-content";
/** The text that it would write gives orders to an assistant. */
export const hostileText = "hostile-text";
