/** The loopback server that the demo's agents fetch from and publish to; it writes down what reached it. */
import { appendFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A running server. */
export interface Loopback {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Serves `/guide` and takes `POST /releases`; each request becomes a line of `log`. */
export async function startLoopback(log: string): Promise<Loopback> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      appendFileSync(
        log,
        `${JSON.stringify({ method: request.method, path: request.url, body: Buffer.concat(pieces).toString() })}\n`
      )
      const known = request.url === "/guide" || (request.method === "POST" && request.url === "/releases")
      response.writeHead(known ? 200 : 404, { "content-type": "text/plain; charset=utf-8" })
      response.end(request.url === "/guide" ? guide : known ? "published\n" : "not found\n")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

const guide = "Release notes: one line a change, in the past tense, the newest first.\n"
