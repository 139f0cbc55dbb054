/** Settings files on a real disk: what is read, when a change is seen, and who may loosen. */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  configHomeOf,
  contentHash,
  defaultFiles,
  type LayerFile,
  ownFolders,
  readTrust,
  recordTrust,
  revokeTrust,
  settingsFiles,
  trustedBy,
  trustFile
} from "../../src/index.ts"
import { settingsOver } from "./worlds.ts"

const made: string[] = []
let folder: string
let shared: string
let records: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-settings-"))
  made.push(folder)
  shared = join(folder, "settings.json")
  records = trustFile(join(folder, "config"))
})
afterAll(() => made.forEach((each) => rmSync(each, { recursive: true, force: true })))

const says = (deny: readonly string[], allow: readonly string[] = []) =>
  JSON.stringify({ permissions: { deny, allow } })
const project = (): LayerFile => ({ layer: "projectShared", path: shared })
const never = () => false

describe("settings files", () => {
  it("give the same list until something changes", () => {
    const { look } = settingsFiles([project()], never)
    assert.deepStrictEqual(look(), [])
    writeFileSync(shared, says(["A"]))
    const first = look()
    assert.strictEqual(first[0]?.text, says(["A"]))
    assert.strictEqual(look(), first)
    rmSync(shared)
    assert.deepStrictEqual(look(), [])
  })

  it("see an atomic rename although size and time agree, and a second write within one tick", () => {
    const { look } = settingsFiles([project()], never)
    writeFileSync(shared, says(["A"]))
    utimesSync(shared, 1000, 1000)
    look()
    writeFileSync(`${shared}.new`, says(["B"]))
    utimesSync(`${shared}.new`, 1000, 1000)
    renameSync(`${shared}.new`, shared)
    assert.strictEqual(look()[0]?.text, says(["B"]))
    for (const name of ["C", "D", "E", "F"]) {
      writeFileSync(shared, says([name]))
      utimesSync(shared, 1000, 1000)
      assert.strictEqual(look()[0]?.text, says([name]))
    }
  })

  it("that are there and can't be used are told as such, with the reason", () => {
    const reasonOf = (file: LayerFile) => {
      const [read] = settingsFiles([file], () => true).look()
      assert.isDefined(read)
      assert.isUndefined(read.text)
      return read.unreadable
    }
    mkdirSync(shared)
    assert.strictEqual(reasonOf(project()), "the file is not used: it is no regular file")
    rmSync(shared, { recursive: true })
    symlinkSync("/dev/zero", shared)
    assert.strictEqual(reasonOf(project()), "the file is not used: it is no regular file")
    rmSync(shared)
    writeFileSync(shared, Buffer.from([0x7b, 0xff, 0x7d]))
    assert.strictEqual(reasonOf(project()), "the file is not UTF-8")
    writeFileSync(shared, " ".repeat(5 * 1024 * 1024))
    assert.include(reasonOf(project()), "larger than")
    writeFileSync(shared, "{}")
    chmodSync(shared, 0o666)
    assert.match(reasonOf({ ...project(), layer: "policy" })!, /owner|others than its owner/)
  })

  it.runIf(process.getuid?.() === 0)("take a policy file only if it is root's", () => {
    const reason = () => settingsFiles([{ layer: "policy", path: shared }], never).look()[0]?.unreadable
    writeFileSync(shared, "{}", { mode: 0o644 })
    assert.isUndefined(reason())
    chownSync(shared, 1000, 1000)
    assert.strictEqual(
      reason(),
      "the file is not used, its owner is the user 1000: a policy file belongs to root and nobody else may write it"
    )
  })

  it("lie where the user's configuration lies, and the floor is told both names of those places", () => {
    assert.strictEqual(configHomeOf("/home/u", { XDG_CONFIG_HOME: "/cfg" }), "/cfg")
    assert.strictEqual(configHomeOf("/home/u", { XDG_CONFIG_HOME: "cfg" }), "/home/u/.config")
    assert.strictEqual(
      defaultFiles({ project: "/p", home: "/h", configHome: "/cfg" })[1]?.path,
      "/cfg/countersign/settings.json"
    )
    const readLink = (path: string) => (path === "/h/.config" ? "/dots/config" : undefined)
    const own = ownFolders({ project: "/p", home: "/h", configHome: "/cfg", files: { readLink } })
    for (const path of [
      "/etc/countersign",
      "/h/.config/countersign",
      "/dots/config/countersign",
      "/cfg/countersign",
      "/p/.countersign"
    ])
      assert.include(own, path)
  })
})

describe("trust", () => {
  it("is for exactly these bytes under their real path, and in a file that is the person's alone", () => {
    writeFileSync(shared, says([], ["Bash"]))
    const trusts = trustedBy(records)
    assert.isFalse(trusts({ path: shared }, says([], ["Bash"])))
    recordTrust(records, [{ path: shared, text: says([], ["Bash"]) }], "2026-01-01T00:00:00.000Z")
    assert.strictEqual(statSync(records).mode & 0o777, 0o600)
    assert.isTrue(trusts({ path: shared }, says([], ["Bash"])))
    assert.isFalse(trusts({ path: shared }, says([], ["Edit"])))
    symlinkSync(shared, join(folder, "link.json"))
    assert.isTrue(trusts({ path: join(folder, "link.json") }, says([], ["Bash"])))
    writeFileSync(join(folder, "copy.json"), says([], ["Bash"]))
    assert.isFalse(trusts({ path: join(folder, "copy.json") }, says([], ["Bash"])))
    assert.strictEqual(readTrust(records)[0]?.sha256, contentHash(says([], ["Bash"])))
  })

  it("of a newer content takes the older one's place, and can be taken back", () => {
    writeFileSync(shared, "{}")
    const trusts = trustedBy(records)
    recordTrust(records, [{ path: shared, text: "{}" }], "a")
    recordTrust(records, [{ path: shared, text: "{ }" }], "b")
    assert.deepStrictEqual([trusts({ path: shared }, "{}"), trusts({ path: shared }, "{ }")], [false, true])
    assert.strictEqual(revokeTrust(records, () => true).length, 1)
    assert.isFalse(trusts({ path: shared }, "{ }"))
    assert.deepStrictEqual(
      revokeTrust(records, () => true),
      []
    )
  })

  it("is nobody's where the records are at fault, and the settings say so", () => {
    writeFileSync(shared, says([], ["Bash"]))
    recordTrust(records, [{ path: shared, text: says([], ["Bash"]) }], "a")
    const { look } = settingsFiles([project()], trustedBy(records))
    assert.isTrue(look()[0]?.trusted)
    const good = JSON.stringify({ version: 1, trusted: readTrust(records) })
    for (const text of ["{", "[]", good.replace("1,", "2,"), good.replace(/"sha256":"./, `"sha256":"x`)]) {
      writeFileSync(records, text)
      assert.isFalse(look()[0]?.trusted, text)
      assert.include(look()[0]?.notes?.[0], "do not have the right form")
      assert.throws(() => recordTrust(records, [], "a"), "do not have the right form")
    }
    writeFileSync(records, good)
    assert.isTrue(look()[0]?.trusted)
    chmodSync(records, 0o622)
    assert.isFalse(look()[0]?.trusted)
    assert.include(look()[0]?.notes?.[0], "can be written by others")
  })
})

describe("the settings in force", () => {
  const current = () => settingsOver(settingsFiles([project()], trustedBy(records)))
  const texts = (rules: readonly { readonly text: string }[]) => rules.map(({ text }) => text)

  it.effect("follow a saved file within 100 ms, at once for whoever has to know", () =>
    Effect.scoped(
      Effect.gen(function* () {
        writeFileSync(shared, says(["A"]))
        const { view } = yield* current()
        const first = yield* view()
        writeFileSync(shared, says(["B"]))
        yield* TestClock.adjust(99)
        assert.strictEqual(yield* view(), first)
        assert.deepStrictEqual(texts((yield* view({ fresh: true })).settings.rules), ["B"])
        writeFileSync(shared, says(["C"]))
        yield* TestClock.adjust(100)
        assert.deepStrictEqual(texts((yield* view()).settings.rules), ["C"])
        // whoever holds a view goes on with it
        assert.deepStrictEqual(texts(first.settings.rules), ["A"])
      })
    )
  )

  it.effect("look again after the clock was set back", () =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* TestClock.setTime(1_000_000)
        writeFileSync(shared, says(["A"]))
        const { view } = yield* current()
        yield* TestClock.setTime(0)
        writeFileSync(shared, says(["B"]))
        assert.deepStrictEqual(texts((yield* view()).settings.rules), ["B"])
      })
    )
  )

  it.effect(
    "keep the last good version of a half-written file, its trust included, until the trust is taken back",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          writeFileSync(shared, says(["A"], ["Bash(make:*)"]))
          recordTrust(records, [{ path: shared, text: says(["A"], ["Bash(make:*)"]) }], "a")
          const { view } = yield* current()
          writeFileSync(shared, says(["A"], ["Bash(make:*)"]).slice(0, 20))
          const half = yield* view({ fresh: true })
          assert.deepStrictEqual(texts(half.settings.rules).toSorted(), ["A", "Bash(make:*)"])
          assert.isAbove(half.problems.length, 0)
          revokeTrust(records, () => true)
          assert.deepStrictEqual(texts((yield* view({ fresh: true })).settings.rules), ["A"])
          writeFileSync(shared, says(["B"]))
          assert.deepStrictEqual(texts((yield* view({ fresh: true })).settings.rules), ["B"])
        })
      )
  )

  it.effect("keep the bans of a file that is gone, and say so, until it is there again", () =>
    Effect.scoped(
      Effect.gen(function* () {
        writeFileSync(shared, says(["A"], ["Bash"]))
        const { view } = yield* current()
        rmSync(shared)
        const gone = yield* view({ fresh: true })
        assert.deepStrictEqual(texts(gone.settings.rules), ["A"])
        assert.include(gone.problems[0]?.message, "the file is gone")
        writeFileSync(shared, "{}")
        const back = yield* view({ fresh: true })
        assert.deepStrictEqual([back.settings.rules, back.problems], [[], []])
      })
    )
  )

  it.effect("keep the bans of the version before beside a mistake, until it is mended", () =>
    Effect.scoped(
      Effect.gen(function* () {
        writeFileSync(shared, says(["A", "B"]))
        const { view } = yield* current()
        writeFileSync(shared, says(["B", "C(x"]))
        assert.deepStrictEqual(texts((yield* view({ fresh: true })).settings.rules), ["B", "C(x", "A"])
        writeFileSync(shared, says(["B", "C(x)"]))
        assert.deepStrictEqual(texts((yield* view({ fresh: true })).settings.rules), ["B", "C(x)"])
      })
    )
  )

  it.effect("loosen by a project's file once it is trusted, and no longer once it changes", () =>
    Effect.scoped(
      Effect.gen(function* () {
        writeFileSync(shared, says([], ["Bash"]))
        const { view } = yield* current()
        assert.deepStrictEqual((yield* view()).settings.rules, [])
        recordTrust(records, [{ path: shared, text: says([], ["Bash"]) }], "a")
        assert.deepStrictEqual(texts((yield* view({ fresh: true })).settings.rules), ["Bash"])
        writeFileSync(shared, says([], ["Bash", "Edit"]))
        assert.deepStrictEqual((yield* view({ fresh: true })).settings.rules, [])
      })
    )
  )
})
