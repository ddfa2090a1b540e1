// Where things lie in the throw-away world.
export const user = "u";
export const home = `/home/${user}`;
export const workspace = `${home}/projects/app`;
/** Stands in everything that nobody but its owner may read. */
export const secret = "canary4f1c9e7ab2d05836";
/** In the environment of the person. */
export const secretVariable = "canaryenv77d1c09a5e81";
/** Words of the programs that must live on. */
export const bystanderSeconds = "86399.25";
