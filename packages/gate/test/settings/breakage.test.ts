/** No mistake in a settings file, and no file that is missing, makes anything laxer. */
import { assert, describe, it } from "@effect/vitest"
import { RuleLayerName, type SettingsFile } from "@countersign/kernel"
import { Effect } from "effect"
import type { SettingsView } from "../../src/index.ts"
import { breakText, isFaulty, modes, outcomes, ownMode, randomFrom, settingsOver, soundLayer } from "./worlds.ts"

const rounds = 800

/** The settings in force after each of these states of the files, one after the other. */
const inForce = (states: readonly (readonly SettingsFile[])[]): Effect.Effect<readonly SettingsView[]> =>
  Effect.scoped(
    Effect.gen(function* () {
      let files = states[0]!
      const { view } = yield* settingsOver({ look: () => files })
      const views = [yield* view()]
      for (const state of states.slice(1)) {
        files = state
        views.push(yield* view({ fresh: true }))
      }
      return views
    })
  )

/** A random world and one of its files, sound and broken. */
function broken(random: ReturnType<typeof randomFrom>) {
  const layer = random.pick(RuleLayerName.literals)
  const others = random
    .some(
      RuleLayerName.literals.filter((each) => each !== layer),
      2
    )
    .map((each) => soundLayer(random, each))
  const sound = soundLayer(random, layer)
  const faulty = { ...sound, text: random.below(12) === 0 ? undefined : breakText(random, sound.text!) }
  return { others, sound, faulty }
}

const words = ({ faulty, others, sound }: ReturnType<typeof broken>) =>
  JSON.stringify({ sound, faulty, others }, null, 1)

describe("a broken settings file", () => {
  it.effect(
    "lets nothing pass at the start that the sound one does not",
    () =>
      Effect.gen(function* () {
        const random = randomFrom(11)
        let faults = 0
        for (let round = 0; round < rounds; round++) {
          const world = broken(random)
          assert.isFalse(isFaulty(world.sound), words(world))
          if (!isFaulty(world.faulty)) continue
          faults++
          const [sound] = yield* inForce([[...world.others, world.sound]])
          const [faulty] = yield* inForce([[...world.others, world.faulty]])
          for (const mode of modes) {
            const was = outcomes(sound!, mode)
            outcomes(faulty!, mode).forEach((is, call) =>
              assert.isTrue(is > 0 || was[call] === 0, `${mode} ${call} ${words(world)}`)
            )
          }
        }
        assert.isAbove(faults, rounds / 2)
      }),
    60_000
  )

  it.effect(
    "makes no outcome laxer while running, nor does one that is gone, one after the other",
    () =>
      Effect.gen(function* () {
        const random = randomFrom(12)
        let faults = 0
        for (let round = 0; round < rounds; round++) {
          const world = broken(random)
          const again = { ...world.sound, text: breakText(random, world.sound.text!) }
          const states = [[world.sound], random.pick([[], [world.faulty]]), random.pick([[], [again]])]
          if (states.flat().some((file) => file !== world.sound && !isFaulty(file))) continue
          faults++
          const views = yield* inForce(states.map((state) => [...world.others, ...state]))
          for (const mode of [ownMode(views[0]!.settings), ...modes.slice(1)]) {
            const was = outcomes(views[0]!, mode)
            for (const view of views.slice(1)) {
              outcomes(view, mode).forEach((is, call) =>
                assert.isAtLeast(is, was[call]!, `${mode} ${call} ${words(world)}`)
              )
            }
          }
        }
        assert.isAbove(faults, rounds / 4)
      }),
    60_000
  )
})

describe("an untrusted project's file", () => {
  it.effect(
    "makes no outcome laxer, sound or broken",
    () =>
      Effect.gen(function* () {
        const random = randomFrom(13)
        for (let round = 0; round < rounds; round++) {
          const file = {
            ...soundLayer(random, random.pick(["projectLocal", "projectShared"] as const)),
            trusted: false
          }
          const other = soundLayer(random, random.pick(["policy", "user"] as const))
          const given = random.pick([file, { ...file, text: breakText(random, file.text!) }])
          const [without, beside] = [(yield* inForce([[other]]))[0]!, (yield* inForce([[other, given]]))[0]!]
          for (const mode of modes) {
            const was = outcomes(without, mode)
            outcomes(beside, mode).forEach((is, call) =>
              assert.isAtLeast(is, was[call]!, `${mode} ${call} ${JSON.stringify([other, given])}`)
            )
          }
        }
      }),
    60_000
  )
})
