const wrapper =
  /^(cd \S+ && )?r=\$\(mktemp\); (.*); s=\$\?; (?:cat "\$r"|find \. -path [^;|&$`()<>]+ -newer "\$r" -exec cat \{\} \+); exit \$s$/;

/** The command within what only keeps its runner's report and its exit code. */
export const unwrapped = (run: string): string => run.replace(wrapper, "$1$2");

/** As a person reads it: without where the report goes, too. */
export const withoutReport = (run: string): string => {
  const inner = unwrapped(run);
  return inner === run ? run : inner.replaceAll(/ --(?:outputFile|junitxml)="\$r"(?= |$)/g, "");
};

/** An output without the JUnit report that stands in it, where it says the same in words: read twice, a failure looks like two. */
export function withoutJunit(output: string): string {
  const start = output.search(/<\?xml\b|<testsuites?\b/);
  const last = output.lastIndexOf("</testsuite");
  const end = last < 0 ? -1 : output.indexOf(">", last);
  if (start < 0 || end < start) return output;
  const rest = `${output.slice(0, start)}${output.slice(end + 1).replace(/^\n/, "")}`;
  return rest.trim() === "" ? output : rest;
}
