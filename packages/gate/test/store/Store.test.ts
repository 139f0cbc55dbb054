import { StoreMemory, StoreSqlite } from "@countersign/gate"
import { join } from "node:path"
import { storeContract } from "./contract.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const folder = temporaryFolder()
let files = 0

storeContract("The Store in memory", () => StoreMemory.layer)
storeContract("The Store in a file", () => StoreSqlite.layer(join(folder, `${++files}`, "gate.db")))
