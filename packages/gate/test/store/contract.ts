/** What every Store promises, asked through its interface alone. Each test gets a store of its own. */
import { Store, type StoreError } from "@countersign/gate"
import { describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { asks } from "./contract/asks.ts"
import { kept } from "./contract/kept.ts"
import type { Test } from "./contract/kit.ts"
import { permits } from "./contract/permits.ts"
import { races } from "./contract/races.ts"
import { settlements } from "./contract/settlements.ts"

type Make = () => Layer.Layer<Store, StoreError>

/** Runs all of it on the stores that `make` makes. */
export function storeContract(name: string, make: Make): void {
  const test = testOn(make)
  describe(`${name} · asks`, () => {
    asks(test)
  })
  describe(`${name} · settlement`, () => {
    settlements(test)
  })
  describe(`${name} · permits and outcomes`, () => {
    permits(test)
  })
  describe(`${name} · races`, () => {
    races(test)
  })
  describe(`${name} · what is kept`, () => {
    kept(test)
  })
}

const testOn =
  (make: Make): Test =>
  (title, body) =>
    it.effect(title, () => Effect.flatMap(Store, body).pipe(Effect.provide(make())))
