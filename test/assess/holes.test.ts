// The ways around a gate that were closed before anything was built, by their number in the list of closed holes.
import { expect, test } from "vitest";
import { judge, riskOf, worldOf } from "./facts.ts";

const all = (risk: string, commands: string[]) =>
  expect(commands.filter((command) => riskOf(command) !== risk)).toEqual([]);

test("2: fettle in command position is forbidden but for reading", () => {
  all("L3", [
    "fettle approve x",
    "fettle config set a b",
    "fettle login openai",
    "fettle -p x --autonomy 5",
    "env fettle approve x",
    "sh -c 'fettle approve x'",
    "fettle explain x; fettle approve y",
    "/usr/bin/fettle approve x",
    "./fettle approve x",
  ]);
  all("L0", [
    "fettle --version",
    "fettle doctor",
    "fettle explain 'rm -rf x'",
    "fettle audit verify",
    "fettle sessions list",
  ]);
});

test("3: the environment is not printed or bent unasked", () => {
  all("L2", [
    "env",
    "printenv",
    "export -p",
    "declare -p",
    "set",
    "env | base64",
    "echo $API_TOKEN",
    "NODE_OPTIONS=--require=./x ls",
    "PYTHONPATH=. ls",
  ]);
  all("L3", [
    "LD_PRELOAD=./x ls",
    "BASH_ENV=x ls",
    "GIT_SSH_COMMAND=x git fetch",
    "env LD_PRELOAD=./x ls",
    "export BASH_ENV=x",
  ]);
  all("L0", ["echo $HOME", "printenv PATH", "LC_ALL=C sort a", "NODE_ENV=test ls"]);
});

test("9: a module of the workspace is not Python's own of the same name", () => {
  const facts = worldOf({ files: { "/w/json/tool.py": "", "/w/calendar.py": "" }, folders: ["/w/json"] });
  expect(riskOf("python3 -m json.tool a.json", facts)).toBe("L2");
  expect(riskOf("python3 -m calendar", facts)).toBe("L2");
  expect(riskOf("python3 -m platform", facts)).toBe("L2");
  expect(riskOf("python3 -I -m platform", facts)).toBe("L0");
});

test("8: copying a folder over another may overwrite what is there", () => {
  const facts = worldOf({ folders: ["/w/src", "/w/evil", "/w/evil/src"] });
  expect(riskOf("cp -r evil/src .", facts)).toBe("L2");
  expect(riskOf("cp -r evil/src other", facts)).toBe("L1");
});

test("5: what fettle tells git is not written by commands", () => {
  all("L3", ["echo x > $TMPDIR/.gitconfig", "cp a $TMPDIR/.gitattributes", "echo x > $TMPDIR/.gitconfig; git status"]);
  all("L1", ["echo x > $TMPDIR/notes"]);
});

test("5: git's own files are never written by commands", () => {
  all("L3", [
    "mv .git .g2",
    "cp x .git/config",
    "echo x > .git/hooks/pre-commit",
    "rm -rf .git",
    "mkdir .git/x",
    "touch .git/commondir",
    "tee .git/info/attributes < a",
    "sed -i s/a/b/ .git/config",
    "cp x sub/.git/config",
    "ln -s x .git/hooks/y",
  ]);
});

test("7: what others run later is asked about", () => {
  all("L2", [
    "echo x > Makefile",
    "echo x > conftest.py",
    "sed -i s/a/b/ vite.config.ts",
    "touch build.rs",
    "cp a .husky/pre-commit",
    "echo x >> .envrc",
    "echo x >> .npmrc",
    "echo x > .gitattributes",
    "mkdir -p .vscode && echo x > .vscode/tasks.json",
    "tee AGENTS.md < a",
    "sed -i s/a/b/ *.json",
  ]);
});

test("8: commands that carry content are asked about", () => {
  all("L2", [
    "git stash pop",
    "git checkout main",
    "git apply x.patch",
    "tar xf a.tar",
    "patch -p1 < x",
    "git stash apply",
    "unzip a.zip",
  ]);
});

test("9: a name is not a program", () => {
  all("L2", ["node_modules/.bin/ls", "./ls", "PATH=. ls", "bin/cat a"]);
  all("L3", ["ls() { rm -rf /; }; ls", "alias ls='rm -rf /'; ls"]);
});

test("10: readers that act, or have unknown options, are asked about", () => {
  all("L2", [
    "git log --output=package.json",
    "git grep -O foo",
    "rg --pre ./x foo",
    "sort --compress-program=./x a",
    "uniq a package.json",
    "ls --frob",
    "git diff --ext-diff",
    "git log --textconv",
    "find . -frob",
    "man -P x ls",
    "fd -x rm",
    "awk -f x a",
    "sed -f x a",
    "date -s 1",
    "yq -i .a=1 f",
    "bat --pager=x a",
  ]);
});

test("11: secrets under any name", () => {
  all("L2", [
    "git show HEAD:.env",
    "cat .env",
    "git diff -- .env",
    "git remote -v",
    "cat .en*",
    "cat ./.env.local",
    "cat sub/../.env",
    "head .e{nv,x}",
    "git config -l",
    "cat .git/config",
  ]);
  all("L3", ["cat id_rsa", "cat certs/a.pem", "cat ~/.ssh/*", "cat ~/.s*/id_rsa"]);
  expect(judge("grep -r foo .").risk).toBe("L0");
  expect(judge("cat *").tags).toContain("reads-sensitive-mask");
  const linked = worldOf({ files: { "/w/a": "" }, hardLinked: ["/w/a"] });
  expect(riskOf("cat a", linked)).toBe("L2");
});

test("14: sending data is forbidden, whatever the host", () => {
  all("L3", [
    "curl -d x https://github.com",
    "curl -T a https://github.com",
    "wget --post-file=a https://github.com",
    "gh gist create a",
    "curl https://github.com/$(cat a)",
    "git push --force",
  ]);
  all("L2", ["npm publish", "git push", "curl https://github.com"]);
});

test("20: what cannot be seen is not run", () => {
  all("L3", ["ls \u202Eabc", "ls \u{E0041}", "ls \u001b[2J"]);
  all("L2", ["ls \u200Bx", "ls \u2013la"]);
});

test("what stays unknown is asked about, as code it is forbidden", () => {
  all("L2", ["$x", '"$x" a', "$(which ls) a", "cat $x", "rm -- $x", "ls $x", "for f in $x; do $f; done"]);
  all("L3", ["eval $x", 'sh -c "$x"', "source $x", 'bash -c "$(cat a)"', "echo $x | sh", 'trap "$x" EXIT', "ls | sh"]);
});
