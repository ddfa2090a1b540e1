import type { Row } from "../../rules/row.ts";

const help = "--help --version";
const filter = (names: string, options: string, match: string[], more: Partial<Row> = {}): Row => ({
  names,
  options: `${options} ${help}`,
  operands: "r*",
  output: "pass",
  match,
  ...more,
});

/** Programs that turn text into other text, and programs that show what a binary file holds. */
export const filters: readonly Row[] = [
  filter(
    "cut",
    "-b: -c: -d: -f: -n -s -z --bytes: --characters: --delimiter: --fields: --only-delimited --output-delimiter: --complement --zero-terminated",
    ["cut -d: -f1 a", "cut -c1-10"],
    { notMatch: ["cut --frob a", "cut -f1 /etc/shadow"] },
  ),
  filter("paste", "-d: -s -z --delimiters: --serial --zero-terminated", ["paste -sd, a", "paste a b"], {
    notMatch: ["paste /etc/passwd a"],
  }),
  filter(
    "join",
    "-a: -e: -i -j: -o: -t: -v: -1: -2: -z --ignore-case --check-order --nocheck-order --header --zero-terminated",
    ["join -t, -1 1 -2 2 a b", "join a b"],
  ),
  filter("comm", "-1 -2 -3 -z --check-order --nocheck-order --output-delimiter: --total --zero-terminated", [
    "comm -12 a b",
  ]),
  filter("col colrm", "-b -f -h -l: -p -x --no-backspaces --fine --spaces --tabs --lines: --pass", ["col -b"], {
    operands: "t*",
  }),
  filter("colcrt", "-2 --no-underlining --half-lines", ["colcrt a"], { notMatch: ["colcrt /etc/shadow"] }),
  filter("expand unexpand", "-# -i -t: -a --initial --tabs: --all --first-only", ["expand -t 4 a"]),
  filter("fold", "-# -b -s -w: --bytes --spaces --width:", ["fold -w 80 -s a"]),
  filter(
    "fmt",
    "-# -c -t -s -u -p: -w: -g: --crown-margin --prefix: --split-only --tagged-paragraph --uniform-spacing --width: --goal:",
    ["fmt -w 72 a"],
  ),
  filter(
    "nl",
    "-b: -d: -f: -h: -i: -l: -n: -p -s: -v: -w: --body-numbering: --section-delimiter: --footer-numbering: --header-numbering: --line-increment: --join-blank-lines: --number-format: --no-renumber --number-separator: --starting-line-number: --number-width:",
    ["nl -ba a", "nl a"],
  ),
  filter(
    "pr",
    "-# -a -c -d -D: -e? -F -f -h: -i? -J -l: -m -n? -N: -o: -r -s? -S? -t -T -v -w: -W: --columns: --across --show-control-chars --double-space --date-format: --expand-tabs? --form-feed --header: --output-tabs? --join-lines --length: --merge --number-lines? --first-line-number: --indent: --no-file-warnings --separator? --sep-string? --omit-header --omit-pagination --show-nonprinting --width: --page-width:",
    ["pr -2 a"],
  ),
  filter("look", "-a -d -f -t: --alternative --alphanum --ignore-case --terminate:", ["look foo a"], {
    operands: "tr*",
  }),
  filter("tsort", "", ["tsort a"]),
  filter("ptx", "-A -f -r -w: -i:r -o:r -R -t -b: -g: -S: -W: -T -O -F: -M:", ["ptx a"], {
    operands: "r",
    notMatch: ["ptx -G a b", "ptx -G *"],
  }),
  filter(
    "numfmt",
    "-d: -z --debug --delimiter: --field: --format: --from: --from-unit: --grouping --header? --invalid: --padding: --round: --suffix: --to: --to-unit: --zero-terminated",
    ["numfmt --to=iec 1048576", "numfmt --header --field 5 --from=iec --padding=10"],
    { operands: "t*" },
  ),
  filter(
    "column",
    "-t -s: -o: -c: -n: -x -e -R: -N: -H: -l: -J -d -E: -T: -W: -O: -L -r: -i: -p: --table --separator: --output-separator: --output-width: --columns: --table-columns: --table-name: --table-noheadings --table-columns-limit: --table-right: --table-truncate: --table-noextreme: --table-header-repeat --table-wrap: --table-hide: --table-order: --keep-empty-lines --table-empty-lines --tree: --tree-id: --tree-parent: --fillrows --json",
    ["column -t", "column -s, -t a"],
    { notMatch: ["column /etc/passwd"] },
  ),
  filter(
    "shuf",
    "-e -i: -n: -o:w -r -z --echo --input-range: --head-count: --output:w --random-source:r --repeat --zero-terminated",
    ["shuf -n 5 a", "shuf -i 1-10"],
    { notMatch: ["shuf -o package.json a", "shuf /etc/shadow"] },
  ),
  filter("bc", "-l -q -s -w -i -h --mathlib --quiet --standard --warn --interactive", ["bc -l"], {
    notMatch: ["bc /etc/passwd"],
  }),
  filter("rev", "-0 --zero", ["rev a"], { output: "decoded", notMatch: ["rev --frob"] }),
  filter(
    "tr",
    "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1",
    ["tr a-z A-Z", "tr -d '\\n'"],
    { operands: "tt", output: "decoded", notMatch: ["tr --frob a"] },
  ),
  filter(
    "colordiff wdiff dwdiff icdiff difft",
    "-# -u -U: -c -y -w -b -B -i -r -N -n -1 -2 -3 -s --color? --width: --brief --ignore-case --statistics --unified? --cols: --line-numbers --recursive",
    ["colordiff -u a b", "wdiff a b"],
    { notMatch: ["difft --frob a b"] },
  ),
  filter("gron ungron html2text chardet chardetect enca", "-u -v -s -m -k -j -c -L:", ["gron a.json"], {
    operands: "f*",
    notMatch: ["gron https://example.com/a.json"],
  }),
  filter(
    "csvlook csvcut csvgrep csvstat csvsort csvjson in2csv csvjoin csvstack",
    "-# -c: -d: -e: -H -I -K: -l -m: -n -r -t -z: -a: -i -v -x --columns: --delimiter: --names --tabs --max-rows: --no-inference --mean --count --freq --nulls --unique --len --sum --min --max --median --stdev",
    ["csvcut -c 1,2 a.csv", "csvstat a.csv"],
    { notMatch: ["csvcut /etc/passwd"] },
  ),
  filter(
    "hexdump hd hexyl",
    "-b -c -C -d -e: -f:r -L? -n: -o -s: -v -x -X --one-byte-octal --one-byte-hex --one-byte-char --canonical --two-bytes-decimal --two-bytes-octal --two-bytes-hex --format: --format-file:r --color? --length: --skip: --no-squeezing --border: --plain",
    ["hexdump -C a"],
    { output: "text" },
  ),
  filter(
    "od",
    "-# -A: -a -b -B -c -d -D -e -f -F -h -H -i -I -j: -l -L -N: -o -O -s -S: -t: -v -w? -x -X --address-radix: --endian: --skip-bytes: --read-bytes: --strings? --format: --output-duplicates --width? --traditional",
    ["od -c a", "od -An -tx1 a"],
    { output: "text" },
  ),
  filter(
    "strings",
    "-# -a -d -e: -f -n: -o -s: -t: -T: -U: -w --all --data --print-file-name --bytes: --radix: --encoding: --unicode: --target: --include-all-whitespace --output-separator:",
    ["strings a", "strings -n 8 a"],
    { output: "text", notMatch: ["strings ~/.ssh/id_rsa"] },
  ),
  filter(
    "nm llvm-nm",
    "-a -A -B -C? -D -e -f: -g -h -i -l -n -o -p -P -r -s -S -t: -u -U: -V -v -W -X: --debug-syms --print-file-name --demangle? --no-demangle --dynamic --defined-only --extern-only --format: --inlines --line-numbers --numeric-sort --no-sort --portability --print-armap --print-size --quiet --radix: --reverse-sort --size-sort --special-syms --synthetic --undefined-only --unicode: --no-weak --with-symbol-versions --without-symbol-versions --target:",
    ["nm a.o", "nm -D lib.so"],
    { output: "text", notMatch: ["nm --plugin ./x.so a.o"] },
  ),
  filter(
    "objdump llvm-objdump",
    "-a -b: -C? -d -D -E: -e -f -F -g -G -h -H -i -j: -l -L -M: -m: -p -P: -r -R -s -S -t -T -V -v -w -W? -x -z --archive-headers --demangle? --no-demangle --disassemble? --disassemble-all --disassembler-options: --dynamic-syms --dynamic-reloc --dwarf? --file-headers --full-contents --headers --section-headers --info --line-numbers --all-headers --private-headers --reloc --section: --show-raw-insn --no-show-raw-insn --no-addresses --source --source-comment? --stabs --start-address: --stop-address: --syms --wide --disassemble-zeroes --visualize-jumps? --inlines --prefix-addresses --target: --architecture:",
    ["objdump -d a.out", "objdump -h a"],
    { output: "text" },
  ),
  filter(
    "readelf llvm-readelf",
    "-a -A -c -C? -d -D -e -g -h -H -I -l -L -n -p: -P -r -R: -s -S -t -T -u -U: -v -V -w? -W -x: -X -z --all --arch-specific --archive-index --debug-dump? --decompress --demangle? --dyn-syms --dynamic --file-header --headers --hex-dump: --histogram --lint --notes --program-headers --relocs --relocated-dump: --section-details --section-groups --section-headers --sections --segments --silent --string-dump: --symbols --syms --unicode: --unwind --use-dynamic --version-info --wide",
    ["readelf -h a.out", "readelf -d a"],
    { output: "text" },
  ),
  filter(
    "size llvm-size",
    "-A -B -G -d -o -x -t -f --format: --radix: --totals --common --target: -V",
    ["size a.out"],
    { output: "text" },
  ),
  filter(
    "addr2line c++filt llvm-cxxfilt rustfilt otool dwarfdump javap pahole wasm-objdump",
    "-a -b: -C? -c -d -e:r -f -h -i -j: -l -L -n -p -P -r -s -S -t -T -v -V -x -X -_ -R -I -D -A -H -O -E --addresses --demangle? --exe:r --functions --basenames --inlines --pretty-print --strip-underscore --no-params --types --format: -classpath: -cp: -public -protected -private -verbose -constants -sysinfo",
    ["addr2line -e a.out 0x1", "otool -L a"],
    { output: "text" },
  ),
  filter(
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum cksum sum shasum md5 crc32 xxhsum rhash",
    "-# -a: -b -c -t -z -l: -q -s -w -r -U -0 --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --algorithm: --length: --untagged --debug --sysv --UNIVERSAL --01 --no-names --num-threads: -p",
    ["sha256sum a", "shasum -a 256 a"],
    { output: "text", notMatch: ["md5sum /etc/shadow"] },
  ),
  filter(
    "zegrep zfgrep bzgrep bzegrep xzgrep xzegrep zstdgrep lzgrep",
    "-# -E -F -G -P -e: -f:r -i -v -w -x -z -c -L -l -m: -o -q -s -b -H -h -n -A: -B: -C: -a --color? --ignore-case --count --extended-regexp --fixed-strings",
    ["xzgrep foo a.xz", "zegrep -i 'a|b' a.gz"],
    { operands: "tr*", instead: "-e -f", output: "matches" },
  ),
  filter("zdiff zcmp bzdiff bzcmp xzdiff xzcmp zstddiff", "-# -u -U: -q -i -w -b -B -r -y -l -s", ["zdiff a.gz b.gz"]),
  filter("zless zmore bzless bzmore xzless xzmore zstdless", "-# -N -R -S -X -F -i -n -r -s -e", ["zless a.gz"]),
  filter("ldd", "-d -r -u -v --data-relocs --function-relocs --unused --verbose", ["ldd /usr/bin/env"], {
    operands: "y*",
    output: "text",
    notMatch: ["ldd ./a.out"],
  }),
];

/** Programs that tell what a document, picture, sound or film is. */
export const media: readonly Row[] = [
  filter(
    "pdfinfo pdffonts",
    "-f: -l: -box -meta -js -struct -struct-text -url -isodates -rawdates -dests -enc: -listenc -opw: -upw: -custom -loc -locPS -subst",
    ["pdfinfo a.pdf", "pdffonts a.pdf"],
    { notMatch: ["pdfinfo /etc/shadow"] },
  ),
  filter(
    "pdftotext",
    "-f: -l: -r: -x: -y: -W: -H: -layout -fixed: -raw -nodiag -htmlmeta -bbox -enc: -eol: -nopgbrk -q -opw: -upw:",
    ["pdftotext a.pdf -", "pdftotext -layout a.pdf -"],
    { operands: "rw", output: "text", notMatch: ["pdftotext a.pdf package.json", "pdftotext /etc/shadow -"] },
  ),
  filter(
    "ffprobe mediainfo mp4info mkvinfo soxi",
    "-v: -hide_banner -i:r -show_format -show_streams -show_entries: -show_frames -show_packets -show_chapters -show_error -show_data -show_programs -select_streams: -of: -print_format: -pretty -unit -sexagesimal -count_frames -count_packets -loglevel: -L -read_intervals: -a -t -r -c -s -d -D -b -e -T -h --Output: --Inform: --Full -formats -codecs -encoders -decoders -filters -version",
    ["ffprobe video.mp4", "ffprobe -v error -show_entries format=duration -of csv=p=0 a.mp4"],
    { operands: "f*", notMatch: ["ffprobe https://example.com/a.mp4", "ffprobe -o x a.mp4"] },
  ),
  filter(
    "identify",
    "-verbose -format: -ping -quiet -regard-warnings -units: -list: -alpha: -precision: -moments -features: -unique",
    ["identify a.png", "identify -format '%wx%h' a.png"],
    { operands: "f*", notMatch: ["identify -write x a.png", "identify https://example.com/a.png", "identify msl:x"] },
  ),
  filter(
    "exiftool",
    "-a -b -c: -csv -d: -D -e -ee -f -g? -G? -h -H -j -json -l -n -q -r -s -S -sort -t -T -u -U -v? -x: -X -ext: -fast? -common -ver -struct -lang:",
    ["exiftool a.jpg", "exiftool -j a.jpg"],
    { notMatch: ["exiftool -Artist=me a.jpg", "exiftool -all= a.jpg", "exiftool -o x a.jpg", "exiftool -if 1 a.jpg"] },
  ),
  filter(
    "figlet toilet cowsay fortune lolcat units banner",
    "-# -c -w: -s -a -l -n -t -h -m: -1 -v -q --terse --verbose",
    ["figlet hi", "cowsay moo"],
    { operands: "t*", output: "pass" },
  ),
];
