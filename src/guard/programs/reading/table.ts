// Programs that otherwise act, looked at: what of them only tells.
import { containerForms } from "../containers/reading.ts";
import { group, type ReadingForm, told } from "../rows/reading-form.ts";

const names = "--json --quiet -q --long -l -v --verbose --all -a --depth: --global -g";

/** Programs that tell of the machine, of packages, of containers and of services. */
export const readingForms: readonly ReadingForm[] = [
  ...containerForms,
  {
    row: {
      names: "systemctl",
      options:
        "--no-pager --user --system -l --full -a --all -t: --type: --state: -n: --lines: --failed -q --quiet --no-legend --plain -p: --property: -o: --output: --value",
      match: ["systemctl status nginx", "systemctl list-units --type=service", "systemctl is-active x"],
      notMatch: ["systemctl stop x", "systemctl -H host status", "systemctl daemon-reload", "systemctl edit x"],
      subcommands: [
        told(
          "status list-units list-unit-files list-timers list-sockets list-dependencies list-jobs list-machines is-active is-enabled is-failed is-system-running get-default show cat help",
          "--no-pager --user --system -l --full -a --all -t: --type: --state: -n: --lines: --failed -q --quiet --no-legend --plain -p: --property: -o: --output: --value --reverse",
        ),
      ],
    },
  },
  {
    row: {
      ...told("timedatectl hostnamectl localectl loginctl", "--no-pager -a --all -p: --property: --value --json:"),
      match: ["timedatectl", "hostnamectl status"],
      notMatch: ["timedatectl set-ntp true", "hostnamectl set-hostname x", "loginctl enable-linger"],
      subcommands: [
        told(
          "status show timesync-status show-timesync list-timezones list-locales list-keymaps list-sessions list-users list-seats",
          "--no-pager -a --all -p: --property: --value",
        ),
      ],
    },
  },
  {
    row: {
      ...told("mount", "-l -t:", ""),
      match: ["mount", "mount -l", "mount -t ext4"],
      notMatch: ["mount /dev/sda1 /mnt", "mount -a"],
    },
  },
  {
    row: {
      ...told(
        "dmesg",
        "-H --human -T --ctime -L? --color? -l: --level: -k --kernel -u --userspace -w --follow -x --decode -t --notime -e --reltime --since: --until: -f: --facility: -P --nopager -J --json",
        "",
      ),
      match: ["dmesg", "dmesg -T"],
      notMatch: ["dmesg -C", "dmesg --clear", "dmesg -n 1"],
    },
  },
  {
    row: {
      names: "ip",
      options: "-4 -6 -s -d -br -brief -c -color -o -oneline -j -json -p -pretty -h -human -stats -details -all -r",
      match: ["ip addr", "ip a show eth0", "ip -br link", "ip route"],
      notMatch: ["ip addr add x", "ip link set eth0 down", "ip route del x", "ip netns exec x ls", "ip -n x a"],
      subcommands: [
        {
          ...group("address addr a link l route ro r neighbour neigh n rule ru maddress tunnel", [
            told("show list ls sh lst s l get", "", "t*"),
          ]),
          output: "text",
          operands: "",
          match: [],
        },
      ],
    },
    except: /^(add|del|delete|set|change|replace|append|flush|save|restore|exec)$/,
  },
  {
    row: {
      ...told("ifconfig", "-a -s -v", "t"),
      match: ["ifconfig", "ifconfig -a", "ifconfig eth0"],
      notMatch: ["ifconfig eth0 down", "ifconfig eth0 10.0.0.1"],
    },
  },
  {
    row: {
      ...told("arp route", "-a -n -e -v -A: -F -C", ""),
      match: ["arp -a", "route -n"],
      notMatch: ["arp -d x", "route add default gw x"],
    },
  },
  {
    row: {
      ...told("top htop btop atop", "-b -n: -d: -p: -o: -u: -U: -w: -c -i -H -l: -s: -1 -E: -e: -S", "t*"),
      match: ["top -b -n 1", "top -l 1"],
      notMatch: [],
    },
  },
  {
    row: {
      ...told("sysctl", "-a -n -N -e -b -A -X --all --values --names --pattern: -r:", "t*"),
      match: ["sysctl -n net.core.somaxconn", "sysctl kernel.hostname"],
      notMatch: ["sysctl -w a=1", "sysctl a=1", "sysctl -p"],
    },
    except: /=/,
  },
  {
    row: {
      names: "apt",
      match: ["apt list --installed", "apt show curl"],
      notMatch: ["apt install x", "apt -o x=y list"],
      subcommands: [
        told(
          "list show search policy depends rdepends showsrc",
          "-a --all-versions --installed --upgradable --manual-installed -v --verbose -n --names-only -q -f --full",
        ),
      ],
    },
  },
  {
    row: {
      names: "apt-cache",
      match: ["apt-cache policy nodejs", "apt-cache search x"],
      notMatch: ["apt-cache gencaches", "apt-cache -o x=y show a"],
      subcommands: [
        told(
          "policy show search depends rdepends showpkg showsrc madison pkgnames stats unmet dump dumpavail dotty",
          "-a --all-versions -n --names-only -q --quiet --installed -i --important --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances -f --full -g --generate",
        ),
      ],
    },
  },
  {
    row: {
      ...told("apt-mark", "", "t*"),
      match: ["apt-mark showhold"],
      notMatch: ["apt-mark hold x"],
      subcommands: [told("showhold showmanual showauto", "", "t*")],
    },
  },
  {
    row: {
      ...told(
        "dpkg",
        "-l --list -L --listfiles -s --status -S --search -p --print-avail --get-selections --print-architecture --print-foreign-architectures -V --verify -C --audit -I:r --info:r -c:r --contents:r --no-pager",
        "t*",
      ),
      match: ["dpkg -l", "dpkg -L bash", "dpkg -S /bin/ls", "dpkg --get-selections"],
      notMatch: ["dpkg -i a.deb", "dpkg -r x", "dpkg --configure -a"],
    },
  },
  {
    row: {
      ...told(
        "dpkg-query",
        "-l --list -L --listfiles -s --status -S --search -p --print-avail -W --show -f: --showformat: --no-pager",
        "t*",
      ),
      match: ["dpkg-query -W -f '${Package}'"],
      notMatch: ["dpkg-query --admindir=x -l"],
    },
  },
  {
    row: {
      ...told(
        "rpm",
        "-q -qa -ql -qi -qf -qR -qd -qc -qp --query --all --list --info --file --whatprovides: --requires --provides --scripts --changelog --qf: --queryformat: --last -V --verify",
        "t*",
      ),
      match: ["rpm -qa", "rpm -ql bash"],
      notMatch: ["rpm -i a.rpm", "rpm -e x", "rpm -Uvh a.rpm"],
    },
  },
  {
    row: {
      names: "pacman",
      match: ["pacman -Q", "pacman -Qi bash"],
      notMatch: ["pacman -S x", "pacman -R x"],
      ...{
        options: "-Q -Qi -Ql -Qo -Qe -Qs -Qq -Qk -Qm -Qn -Qt -Qd -Qdt -Qqe -q",
        operands: "t*",
        output: "text" as const,
      },
    },
  },
  {
    row: {
      names: "brew",
      match: ["brew list", "brew deps --tree x"],
      notMatch: ["brew install x", "brew services restart x", "brew upgrade"],
      subcommands: [
        told(
          "list ls leaves deps uses config doctor commands info desc options missing",
          `${names} --versions --formula --cask --casks --tree --installed --include-build -1 --pinned --multiple`,
        ),
        group("services", [told("list info", "--json")]),
      ],
    },
  },
  {
    row: {
      ...told("stty", "-a --all -g --save", "t"),
      match: ["stty size", "stty -a"],
      notMatch: ["stty -echo", "stty raw", "stty sane -F /dev/ttyS0"],
    },
    except: /^(?!-)(?!(?:size|speed)$)/,
  },
  {
    row: {
      ...told("brew", "--prefix --cellar --repository --cache"),
      match: ["brew --prefix openssl"],
      notMatch: ["brew --prefix --frob"],
    },
    needs: /^--/,
  },
  {
    row: {
      names: "rustup",
      match: ["rustup show", "rustup toolchain list", "rustup target list --installed"],
      notMatch: ["rustup update", "rustup target add x", "rustup doc"],
      options: "-v -q --verbose --quiet",
      subcommands: [
        told("show which", "-v --verbose --toolchain: --installed"),
        group("toolchain target component override", [
          told("list", "-v --verbose --installed --toolchain: -q --quiet"),
        ]),
      ],
    },
  },
  {
    row: {
      ...told("dotnet", "--version --info --list-sdks --list-runtimes -h --help", ""),
      match: ["dotnet --list-sdks"],
      notMatch: ["dotnet run"],
    },
  },
  {
    row: {
      names: "terraform tofu",
      match: ["terraform fmt -check -recursive"],
      notMatch: ["terraform plan", "terraform fmt", "terraform state pull", "terraform output"],
      subcommands: [told("fmt", "-check -recursive -diff -list:", "r*")],
    },
    needs: /^-check$/,
  },
  {
    row: {
      ...told(
        "vim nvim emacs tmux screen ssh scp sftp gpg psql mysql pg_dump redis-cli mongo mongosh sqlite3 code vi nano curl wget unzip zip 7z nc",
        "--version",
        "",
      ),
      match: ["vim --version", "psql --version"],
      notMatch: ["ssh host", "vim a", "tmux new", "screen", "psql", "nc"],
    },
    needs: /^--version$/,
  },
  {
    row: {
      names: "nvm fnm volta",
      match: ["nvm ls", "fnm current", "volta list"],
      notMatch: ["nvm install 20", "nvm use 20", "volta run x"],
      subcommands: [told("ls list current", "--no-colors --no-alias")],
    },
  },
  {
    row: {
      names: "n",
      match: ["n ls"],
      notMatch: ["n 20", "n current", "n list 20", "n run 20 a.js"],
      subcommands: [told("ls", "", "")],
    },
  },
  {
    // The names of what is installed; which version holds may be asked of a plugin.
    row: {
      names: "asdf",
      match: ["asdf list"],
      notMatch: ["asdf list all x", "asdf list nodejs", "asdf current", "asdf install"],
      subcommands: [told("list", "", "")],
    },
  },
  {
    // All that asks which version holds runs the hooks of their folders: versions, version, which, version-name, prefix.
    row: {
      names: "pyenv rbenv nodenv goenv",
      match: ["pyenv shims --short", "rbenv version-file", "pyenv root"],
      notMatch: [
        ...["pyenv rehash", "pyenv local 3.12", "pyenv global 3.12", "rbenv exec x", "pyenv shell x"],
        ...["rbenv version-name", "pyenv version-origin", "pyenv versions", "rbenv version", "rbenv which ruby"],
        ...["pyenv prefix", "rbenv whence ruby", "rbenv hooks exec", "rbenv version-file /w/sub", "pyenv root x"],
      ],
      subcommands: [
        told("shims", "--short", ""),
        told("commands", "--sh --no-sh", ""),
        told("root version-file", "", ""),
      ],
    },
  },
  {
    row: {
      names: "conda mamba micromamba",
      match: ["conda list", "conda env list", "conda info --envs"],
      notMatch: ["conda install x", "conda env create", "conda run x"],
      subcommands: [
        told("list info", "-n: --name: -e --export --json --envs -a --all --explicit --revisions -s -f --full-name -c"),
        group("env", [told("list", "--json")]),
      ],
    },
  },
];

/** Programs whose `-V` and `-v` alone tell the version. */
export const versionShort: Readonly<Record<string, string>> = {
  "-v": "node nodejs npm npx pnpm yarn bun ruby php perl perl5 gcc g++ cc c++ clang clang++ go make gmake java mvn gradle composer tsc eslint prettier jest vitest nginx httpd apache2 docker docker-compose terraform packer nvm rvm gem bundle bundler lua luajit R groovy sqlplus patch unzip zip ld as objdump readelf ps pdftotext pdfinfo pdfimages webpack rollup gulp ng vue nest serverless firebase nx lerna",
  "-V": "python python2 python3 pip pip3 ssh tmux screen curl wget ruby rustc cargo rsync zsh perl perl5 gawk awk mawk sed grep egrep fgrep tar gzip bzip2 xz zstd lz4 dpkg man vim less file rg fd bat make gmake gfortran as ld ar nm strip jq yq uv poetry conda virtualenv psql pg_dump mysql mysqldump redis-cli redis-server ps top free uptime gpg openvpn strace lsof lsb_release lz pigz pandoc bison flex m4 autoconf automake libtool gettext msgfmt ack ag",
};

/** Examples that the forms get wrong under `judge`; empty when all hold. */
export function checkReadingForms(judge: (command: string) => string): string[] {
  return readingForms.flatMap(({ row }) => [
    ...row.match.filter((command) => judge(command) !== "L0").map((command) => `${command}: ${judge(command)}, not L0`),
    ...(row.notMatch ?? []).filter((command) => judge(command) === "L0").map((command) => `${command}: L0`),
  ]);
}
