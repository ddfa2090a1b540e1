// Prompts and templates are data: the build (and vitest) inline them as strings.
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.toml" {
  const text: string;
  export default text;
}
