/** Where a gate keeps what must outlive it: a file, or (absent) this process's memory, by the same code. */
import { SessionsSqlite, StoreSqlite } from "@countersign/gate"
import { Layer } from "effect"

/** The Store and the session store on one database. */
export const database = (file: string | undefined) => Layer.merge(StoreSqlite.layer(file ?? ":memory:"), SessionsSqlite.layer(file ?? ":memory:"))
