import { assert, describe, it } from "@effect/vitest"
import { accessesOf, bash } from "./reading.ts"

const p = "/srv/proj"

describe("the files a line touches", () => {
  for (const [line, expected] of [
    ["cat a b", [`read ${p}/a`, `read ${p}/b`]],
    ["cat -- -x", [`read ${p}/-x`]],
    ["head -n 5 a", [`read ${p}/a`]],
    ["grep -n x a", [`read ${p}/a`]],
    ["grep -e x a", [`read ${p}/a`]],
    ["grep $X a", [`read ${p}/a`, "read ?"]],
    ['grep "$X" a', [`read ${p}/a`]],
    ["grep -r x .", [`read ${p} (whole)`]],
    ["grep -f pats a", [`read ${p}/pats`, `read ${p}/a`]],
    ["rg x", [`read ${p} (whole)`]],
    ["sed -n 1p a", [`read ${p}/a`]],
    ["sed -i s/a/b/ a b", [`write ${p}/a`, `write ${p}/b`]],
    ["tee -a x y", [`write ${p}/x`, `write ${p}/y`]],
    ["cp a d", [`read ${p}/a`, `write ${p}/d/a`, `write ${p}/d`]],
    ["cp -r a b d", [`read ${p}/a (whole)`, `write ${p}/d/a`, `read ${p}/b (whole)`, `write ${p}/d/b`, `write ${p}/d`]],
    ["cp -t d a", [`read ${p}/a`, `write ${p}/d/a`, `write ${p}/d`]],
    ["mv a b", [`remove ${p}/a (whole)`, `write ${p}/b/a`, `write ${p}/b`]],
    ["ln -s /etc/x l", ["read /etc/x", `write ${p}/l/x`, `write ${p}/l`]],
    ["rm -f a", [`remove ${p}/a`]],
    ["dd if=a of=b", [`read ${p}/a`, `write ${p}/b`]],
    ["dd of=~/b", ["write /home/u/b"]],
    ["sort -o x y", [`write ${p}/x`, `read ${p}/y`]],
    ["curl -o x http://h/a", [`write ${p}/x`]],
    ["curl -O http://h/a", [`write ${p}/a`]],
    ["curl -d @a http://h", [`read ${p}/a`]],
    ["tar -cf x.tar a", [`write ${p}/x.tar`, `read ${p}/a (whole)`]],
    ["tar xf x.tar -C d", [`read ${p}/x.tar`, `write ${p}/d (whole)`]],
    ["git show HEAD:a/b", [`read ${p}`, `read ${p}/a/b`]],
    ["git checkout -- a", [`read ${p}`, `write ${p}/a`]],
    ["git -C d add a", [`read ${p}/d`, `read ${p}/d/a`]],
    ["git diff --output=x", [`read ${p}`, `write ${p}/x`]],
    ["uniq a b", [`read ${p}/a`, `write ${p}/b`]],
    ["find a -delete", [`remove ${p}/a (whole)`]],
    ["mkdir -p a/../b", [`write ${p}/b`]],
    ["sudo tee /etc/x", ["write /etc/x"]],
    ["time rm a", [`remove ${p}/a`]],
    ["cat *.ts", [`read ${p}/*.ts (glob)`]],
    ["cat '*.ts'", [`read ${p}/*.ts`]],
    ["cat a{1,2}", [`read ${p}/a* (glob)`]],
    ["cat {/etc/x,b}", ["read ?"]],
    ["cat .*", [`read ${p}/.* (glob)`, "read ?"]],
    ["cat ~/x", ["read /home/u/x"]],
    ["cat '~/x'", [`read ${p}/~/x`]],
    ["cat ~root/x", ["read ?"]],
    ["cat $X", ["read ?"]],
    ["cat <(a)", []],
    ["echo a", []],
    ["echo /etc/*", ["read /etc/* (glob)"]],
    ["unheard a b", []]
  ] as const) {
    it(`${line}`, () => assert.deepStrictEqual(accessesOf(line), expected as readonly string[] as string[]))
  }
})

describe("redirects", () => {
  for (const [line, expected] of [
    ["a > x", [`write ${p}/x`]],
    ["a >> x 2> y < z", [`write ${p}/x`, `write ${p}/y`, `read ${p}/z`]],
    ["a &> x", [`write ${p}/x`]],
    ["a >| x", [`write ${p}/x`]],
    ["a <> x", [`write ${p}/x`, `read ${p}/x`]],
    ["a >& x", [`write ${p}/x`]],
    ["a 2>&1 >&- <&3", []],
    ["a > /dev/null 2> /dev/stderr", []],
    ["> x", [`write ${p}/x`]],
    ["{ a; } > x", [`write ${p}/x`]],
    ["f() { a; } > x", [`write ${p}/x`, "write ?"]],
    ['a > "$X"', ["write ?"]],
    ["cd d && a > x", [`read ${p}/d`, `write ${p}/d/x`]]
  ] as const) {
    it(`${line}`, () => assert.deepStrictEqual(accessesOf(line), expected as readonly string[] as string[]))
  }

  it("are marked, with the part they belong to", () => {
    const { accesses } = bash("a; b > x")
    assert.deepStrictEqual(
      accesses.map(({ part, redirect }) => ({ part, redirect })),
      [{ part: 1, redirect: true }]
    )
  })

  for (const line of [
    "echo > /dev/tcp/h/80",
    "cat < /dev/udp/h/1",
    "exec 3<>/dev/tcp/h/1",
    "{ a; } > /dev/tcp/h/1",
    "> /dev/tcp/h/1",
    "cat < /dev/$X"
  ]) {
    it(`to the network ask: ${line}`, () =>
      assert.isTrue(bash(line).command?.parts.some(({ asks }) => asks !== undefined)))
  }
})

describe("folders are followed", () => {
  const removed = (line: string) =>
    accessesOf(line)
      .filter((access) => access.startsWith("remove"))
      .map((access) => access.slice(7))

  for (const [line, expected] of [
    ["cd d && rm x", [`${p}/d/x`]],
    ["cd d; rm x", [`${p}/d/x`, `${p}/x`]],
    ["cd d || rm x", [`${p}/x`]],
    ["cd a && cd ../b && rm x", [`${p}/b/x`]],
    ["cd / && rm x", ["/x"]],
    ["cd && rm x", ["/home/u/x"]],
    ["cd ~/y && rm x", ["/home/u/y/x"]],
    ["cd $X && rm x", ["?"]],
    ["cd - && rm x", ["?"]],
    ["cd d && popd && rm x", ["?"]],
    ["pushd d && rm x", [`${p}/d/x`]],
    ["(cd d); rm x", [`${p}/x`]],
    ["cd d | a; rm x", [`${p}/x`]],
    ["cd d & rm x", [`${p}/x`]],
    ["$(cd d); rm x", [`${p}/x`, "?"].slice(0, 1)],
    ["{ cd d; } && rm x", [`${p}/d/x`]],
    ["if cd d; then rm x; fi", [`${p}/d/x`]],
    ["if a; then cd d; fi; rm x", [`${p}/d/x`, `${p}/x`]],
    ["if a; then cd d; else cd e; fi && rm x", [`${p}/d/x`, `${p}/x`, `${p}/e/x`]],
    ["for i in 1 2; do rm x; cd d; done", [`${p}/x`, "?"]],
    ["f() { cd d; }; f; rm x", [`${p}/x`, "?"]],
    ["CDPATH=/; cd d && rm x", ["?"]],
    ["timeout 5 cd d && rm x", [`${p}/x`, `${p}/d/x`]],
    ["env -C d rm x", [`${p}/x`, "?"]],
    ["! cd d || rm x", [`${p}/d/x`]],
    ["case a in b) cd d;; esac; rm x", [`${p}/x`, `${p}/d/x`]],
    ["bash -c 'cd d && rm x'; rm x", [`${p}/d/x`, `${p}/x`]],
    ["eval 'cd d' && rm x", [`${p}/d/x`, `${p}/x`]],
    ['cd "$PWD/d" && rm "$PWD/x"', [`${p}/d/x`]]
  ] as const) {
    it(`${line}`, () => assert.sameMembers(removed(line), expected as readonly string[] as string[]))
  }
})

describe("variables with static values are read in paths", () => {
  for (const [line, expected] of [
    ["f=.env; cat $f", [`read ${p}/.env`]],
    ['f=.env && cat "x/${f}"', [`read ${p}/x/.env`]],
    ["f=a; f=b; cat $f", [`read ${p}/a`, `read ${p}/b`]],
    ["d=/etc; f=$d/x; cat $f", ["read /etc/x"]],
    ["for f in a b; do cat $f; done", [`read ${p}/a`, `read ${p}/b`]],
    ["export f=a; cat $f", [`read ${p}/a`]],
    ["cat $HOME/x", ["read /home/u/x"]],
    ["HOME=/x; cat $HOME/x", ["read ?"]],
    ["cat $f; f=a", ["read ?"]],
    ["a && f=x; cat $f", ["read ?"]],
    ["f=a cat $f", ["read ?"]],
    ["f=$(x); cat $f", ["read ?"]],
    ["f='a b'; cat $f", ["read ?"]],
    ["f='a b'; cat \"$f\"", [`read ${p}/a b`]],
    ["f='*'; cat $f", ["read ?"]],
    ["f=a; read f; cat $f", ["read ?"]],
    ["f=a; f+=b; cat $f", ["read ?"]],
    ['f=a; eval "$x"; cat $f', ["read ?"]],
    ["f=a; ((f=1)); cat $f", ["read ?"]],
    ["(f=a); cat $f", ["read ?"]],
    ["if a; then f=x; fi; cat $f", ["read ?"]],
    ["for f in *; do cat $f; done", ["read ?"]]
  ] as const) {
    it(`${line}`, () => assert.deepStrictEqual(accessesOf(line), expected as readonly string[] as string[]))
  }

  it("never in the place of a command word", () => assert.isTrue(bash("X=ls; $X").command?.parts[1]?.unknown))
})

describe("symbolic links", () => {
  it("are resolved for each access", () => {
    assert.strictEqual(bash("cat link/x", { "/srv/proj/link": "/etc" }).accesses[0]?.real, "/etc/x")
    assert.isFalse(bash("cat link/x", { "/srv/proj/link": "/etc" }).insideWorkspace)
  })

  it("with `..` behind them give both readings", () => {
    const links = { "/srv/proj/link": "/etc/ssh", "/srv/proj/x": "/root/x" }
    assert.sameMembers(
      bash("cat link/../x", links).accesses.map(({ real }) => real),
      ["/etc/x", "/root/x"]
    )
  })
})
