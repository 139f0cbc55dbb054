/** One life of the scenario as a process of its own: `act FOLDER WAY [POINT]` or `goOn FOLDER WAY`. */
import { act, goOn, type Way } from "./scenario.ts"

const [life, folder = "", way = "", point] = process.argv.slice(2)
if (life === "act") await act(folder, way as Way, point)
else process.stdout.write(`${JSON.stringify(await goOn(folder, way as Way))}\n`)
