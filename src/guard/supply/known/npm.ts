export const names = "";
