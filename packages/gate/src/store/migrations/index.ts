/** All migrations, in the order of their names. They only ever grow. */
import type { Migration } from "kysely/migration"
import { house } from "./0001_house.ts"

export const migrations: Record<string, Migration> = { "0001_house": house }
