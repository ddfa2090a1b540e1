/** Tags that the firewall adds to an assessment: the action itself carries a secret, or the placeholder of one. */
export const secretInArguments = "secret-in-arguments";
export const secretInContent = "secret-in-content";
