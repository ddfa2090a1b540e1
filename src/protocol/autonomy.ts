/** Names of the levels 0 to 5. */
export const autonomyNames = ["ask", "cautious", "standard", "trusted", "autonomous", "full"] as const;
