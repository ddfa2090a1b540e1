// The package that an import names which is no file of the project.
import path from "node:path";

const ecma = /\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/;

/** Undefined: it means something of the project, or says no package. */
export function packageOf(file: string, given: string): string | undefined {
  const target = given.replace(/^["'<]|["'>]$/g, "").trim();
  if (target === "" || /^(?:\.|\/|#|~\/|@\/)/.test(target)) return undefined;
  if (ecma.test(file)) return /^(?:@[\w.-]+\/[\w.-]+|[\w:.-]+)/.exec(target)?.[0];
  const ending = path.extname(file).toLowerCase();
  if (/^\.(?:py|pyi)$/.test(ending)) return /^\w+/.exec(target)?.[0];
  if (ending === ".go") return goPackage(target);
  if (ending === ".rs") {
    const first = /^\w+/.exec(target.replace(/^::/, ""))?.[0];
    return first === undefined || /^(?:crate|self|super)$/.test(first) || !target.includes("::") ? undefined : first;
  }
  if (ending === ".java") return target.split(".").slice(0, 3).join(".");
  if (ending === ".cs")
    return target
      .replace(/^(?:static\s+)/, "")
      .split(".")
      .slice(0, 2)
      .join(".");
  if (ending === ".php") return target.replace(/^\\/, "").split("\\")[0];
  if (ending === ".rb") return target.split("/")[0];
  return /^\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx)$/.test(ending) ? target : undefined;
}

/** Of a module path its host, owner and name; of the standard library the first word. */
function goPackage(target: string): string {
  const parts = target.split("/");
  const most = /^(?:github|gitlab|bitbucket)\./.test(target) ? 3 : target.includes(".") ? 2 : 1;
  return parts.slice(0, most).join("/");
}
