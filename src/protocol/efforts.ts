// The names of efforts, without the schemas of effort.ts: every command knows them, and schemas are loaded when they are used.

/** From none to most. Not every model knows every level. */
export const efforts = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
