import { assert, describe, it } from "@effect/vitest"
import { analyse } from "../../src/subject/command/analyse.ts"
import { bansOf, folder, home } from "./reading.ts"

const formsOf = (line: string) =>
  analyse(line, folder, home).parts[0]!.allow.map(
    ({ literalWords, mustName, plain }) => `${plain} [${[literalWords, ...mustName].join(" ")}]`
  )

describe("bans look behind every launcher", () => {
  for (const line of [
    "sudo rm x",
    "sudo -u root rm x",
    "sudo -n -- rm x",
    "sudo A=1 rm x",
    "doas -u x rm x",
    "env rm x",
    "env -i A=1 B=2 rm x",
    "env -u X rm x",
    "A=1 rm x",
    "A=1 env B=2 rm x",
    "timeout 5 rm x",
    "timeout -k 1 -s KILL 5 rm x",
    "timeout --signal=KILL 5 rm x",
    "nice rm x",
    "nice -n 5 rm x",
    "nice -5 rm x",
    "ionice -c 3 rm x",
    "nohup rm x",
    "stdbuf -oL rm x",
    "setsid -w rm x",
    "command rm x",
    "command -p rm x",
    "builtin rm x",
    "exec rm x",
    "exec -a n rm x",
    "\\time -f x rm x",
    "watch rm x",
    "watch -n 1 'rm x'",
    "flock /l rm x",
    "flock /l -c 'rm x'",
    "chroot /r rm x",
    "taskset 1 rm x",
    "strace -f -o x rm x",
    "xvfb-run -a rm x",
    "busybox rm x",
    "env -S 'rm x'",
    "env -S 'A=1 rm x'",
    "sudo timeout 5 nice rm x",
    "unknownopts() { :; }; sudo --weird rm x",
    "git bisect run rm x",
    "/bin/rm x",
    "sudo /usr/bin/rm x",
    "bash -c 'rm x'",
    "su -c 'rm x'",
    "su - u -c 'rm x'",
    "eval rm x",
    "r\\m x",
    "$'\\x72m' x",
    "script -c 'rm x' f"
  ]) {
    it(`${line}`, () => assert.include(bansOf(line), "rm x"))
  }

  it("try every word where a launcher's options have no certain reading", () => {
    assert.include(bansOf("sudo --weird v rm x"), "rm x")
    assert.isTrue(analyse("sudo --weird v rm x", folder, home).parts[0]?.unknown)
    assert.isTrue(analyse("env -Z rm x", folder, home).parts[0]?.unknown)
  })

  for (const [line, form] of [
    ["xargs rm", "rm {}"],
    ["xargs -0 -n 1 rm -f", "rm -f {}"],
    ["xargs -I % rm %", "rm % {}"],
    ["find . -exec rm {} \\;", "rm {}"],
    ["find . -name x -execdir rm -f {} +", "rm -f {}"],
    ["find . -ok rm {} ';'", "rm {}"],
    ["fd -x rm", "rm {}"],
    ["parallel rm", "rm {}"]
  ] as const) {
    it(`${line}`, () => assert.include(bansOf(line), form))
  }

  for (const line of [
    "npx rm x",
    "npx -y rm x",
    "npx -p y rm x",
    "npx -c 'rm x'",
    "npm exec -- rm x",
    "npm exec -c 'rm x'",
    "pnpm dlx rm x",
    "yarn exec rm x",
    "bundle exec rm x",
    "poetry run rm x",
    "uv run --with y rm x",
    "cross-env A=1 rm x",
    "timeout 5 npx rm x",
    "eval -- rm x",
    "perf stat -e y rm x"
  ]) {
    it(`${line}`, () => assert.include(bansOf(line), "rm x"))
  }

  it("and see none where nothing is launched", () => {
    assert.deepStrictEqual(bansOf("command -v rm"), ["command -v rm"])
    assert.deepStrictEqual(bansOf("echo rm x"), ["echo rm x"])
    assert.deepStrictEqual(
      bansOf("env -S 'echo a; rm x'").filter((form) => form.startsWith("rm")),
      []
    )
  })
})

describe("bans skip global options", () => {
  for (const [line, form] of [
    ["git -C d push", "git push"],
    ["git -c a=b --no-pager push -f", "git push -f"],
    ["git --git-dir=x push", "git push"],
    ["git --git-dir x push", "git push"],
    ["git --unknown v push", "git push"],
    ["/usr/bin/git -C d push", "git push"],
    ["sudo git -C d push", "git push"],
    ["docker -H tcp://x rm y", "docker rm y"],
    ["kubectl -n ns delete pod", "kubectl delete pod"],
    ["npm --prefix x publish", "npm publish"],
    ["npm --silent publish", "npm publish"],
    ["terraform -chdir=x destroy", "terraform destroy"],
    ["cargo +nightly publish", "cargo publish"]
  ] as const) {
    it(`${line}`, () => assert.include(bansOf(line), form))
  }
})

describe("allow rules look behind harmless launchers only", () => {
  for (const [line, forms] of [
    ["npm test", ["npm test [0]"]],
    ["LANG=C npm test", ["LANG=C npm test [0]", "npm test [0]"]],
    ["LC_ALL=C CI=1 npm test", ["LC_ALL=C CI=1 npm test [0]", "npm test [0]"]],
    ["timeout 5 npm test", ["timeout 5 npm test [3]", "npm test [0]"]],
    ["nohup nice npm test", ["nohup nice npm test [3]", "nice npm test [2]", "npm test [0]"]],
    ["xargs grep a", ["xargs grep a [2]", "grep a {} [0]"]],
    ["xargs -0 grep a", ["xargs -0 grep a [3]"]],
    ["sudo apt update", ["sudo apt update [2]"]],
    ["timeout 5 sudo apt update", ["timeout 5 sudo apt update [4]", "sudo apt update [2]"]],
    ["npx tsc -b", ["npx tsc -b [0]"]],
    ["A=1 npm test", ["A=1 npm test [2]"]],
    ["LANG=a/b npm test", ["LANG=a/b npm test [2]"]],
    ["LANG=$X npm test", ["LANG=$X npm test [2]"]],
    ["PATH=. npm test", ["PATH=. npm test [2]"]],
    ["env A=1 make x", ["env A=1 make x [3]"]],
    ["exec -a n ls", ["exec -a n ls [4]"]],
    ["env -S 'A=1 rm x'", ["env -S A=1 rm x [4]"]],
    ["watch ls", ["watch ls [2]"]],
    ["watch 'ls; rm x'", ["watch ls; rm x [3]"]],
    ["bash -c 'ls'", ["bash -c ls [4]"]],
    ["find . -exec rm {} +", ["find . -exec rm {} + [4 -exec]"]]
  ] as const) {
    it(`${line}`, () => assert.deepStrictEqual(formsOf(line), forms as readonly string[] as string[]))
  }
})

describe("a star rule has to name options that write or run", () => {
  for (const [line, named] of [
    ["git log", []],
    ["git log --output=x", ["--output"]],
    ["git log --out=x", ["--output"]],
    ["git log --outp x", ["--output"]],
    ["git -c a=b log", ["-c"]],
    ["git log -c", []],
    ["git diff --ext-diff", ["--ext-diff"]],
    ["git grep -O x", ["-O"]],
    ["git grep -nOvim x", ["-O"]],
    ["git grep -eO x", []],
    ["git log -- --output", []],
    ["rg --pre=x y", ["--pre"]],
    ["rg --pr=x y", ["--pre"]],
    ["rg --pretty y", []],
    ["sort -o x y", ["-o"]],
    ["sort -uo x y", ["-o"]],
    ["sort -k2,2o y", []],
    ["find . -delete", ["-delete"]],
    ["find . -name -delete", ["-delete"]],
    ["find . -fprint x", ["-fprint"]],
    ["tar -I x -cf y z", ["-I"]],
    ["tar cIf x y z", ["-I"]],
    ["tar xf y --to-command=x", ["--to-command"]],
    ["sed -i s/a/b/ x", ["-i"]],
    ["sed -ni p x", ["-i"]],
    ["sed --in=.b s/a/b/ x", ["--in-place"]],
    ["sed -n 1,20p x", []],
    ["sed 's/a/b/g; 3d' x", []],
    ["sed 's/a/b/e' x", ["s/a/b/e"]],
    ["sed 'w x' y", ["w x"]],
    ["sed -f x y", ["-e"]],
    ["file -m x y", ["-m"]],
    ["docker -H x ps", ["-H"]],
    ["git $X", ["--config-env", "--exec-path=", "-c"]],
    ['git "$X" --upload-pack=x', ["--upload-pack"]],
    ["rg $X", ["--pre", "--hostname-bin"]],
    ['rg "$X"', []],
    ["rg *", ["--pre", "--hostname-bin"]],
    ["rg a*", []],
    ["rg ./*", []],
    ["rg {--pre=x,y}", ["--pre", "--hostname-bin"]],
    ['X=--pre=./x; rg "$X"', ["--pre", "--hostname-bin"]],
    ["xargs rg", ["--pre", "--hostname-bin"]],
    ["timeout 5 rg --pre x", ["--pre"]]
  ] as const) {
    it(`${line}`, () =>
      assert.deepStrictEqual(
        analyse(line, folder, home).parts.at(-1)!.allow.at(-1)!.mustName,
        named as readonly string[] as string[]
      ))
  }
})
