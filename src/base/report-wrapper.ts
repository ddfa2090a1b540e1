const wrapper =
  /^(cd \S+ && )?r=\$\(mktemp\); (.*); s=\$\?; (?:cat "\$r"|find \. -path [^;|&$`()<>]+ -newer "\$r" -exec cat \{\} \+); exit \$s$/;

/** The command within what only keeps its runner's report and its exit code. */
export const unwrapped = (run: string): string => run.replace(wrapper, "$1$2");

/** As a person reads it: without where the report goes, too. */
export const withoutReport = (run: string): string => {
  const inner = unwrapped(run);
  return inner === run ? run : inner.replaceAll(/ --(?:outputFile|junitxml)="\$r"(?= |$)/g, "");
};
