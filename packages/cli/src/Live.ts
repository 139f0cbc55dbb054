/** The only place that chooses which implementation stands behind a port of the program. */
import { StoreSqlite } from "@countersign/gate"

/** The store in a database file. */
export const storeAt = (file: string) => StoreSqlite.layer(file)
