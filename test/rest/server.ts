/** A real server on loopback that remembers what reached it. */
import { Effect, type Scope } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

/** A request as it came over the wire. */
export interface Seen {
  readonly method: string
  /** Path and query, byte for byte. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** `hang`: never answers; `hang up`: closes instead. `stall`: stops in the middle of the body; `half`: closes there. */
export type Answer =
  | "hang"
  | "stall"
  | "hang up"
  | "half"
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
      /** Closes the connection in the middle of the body. */
      readonly cut?: boolean
    }

export interface Recorded {
  readonly baseUrl: string
  readonly seen: ReadonlyArray<Seen>
}

/** Serves for as long as the scope is open. */
export const recording = (
  answer: (seen: Seen, index: number) => Answer
): Effect.Effect<Recorded, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly seen: Array<Seen>; readonly server: ReturnType<typeof createServer> }>(
        (resume) => {
          const seen: Array<Seen> = []
          const server = createServer((request, response) => {
            const chunks: Array<Buffer> = []
            request.on("data", (chunk: Buffer) => chunks.push(chunk))
            request.on("end", () => {
              const body = Buffer.concat(chunks).toString("utf8")
              const { headers, method = "", url = "" } = request
              const given = answer(
                { method, url, headers, body },
                seen.push({ method, url, headers, body }) - 1
              )
              if (given === "hang") return
              if (given === "hang up") return void request.socket.destroy()
              if (given === "half" || given === "stall") {
                response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
                return void response.write('{"half":', () => given === "half" && request.socket.destroy())
              }
              if (given.cut) {
                response.writeHead(given.status ?? 200, { "content-length": "1000", ...given.headers })
                return void response.write(given.body ?? "{", () => request.socket.destroy())
              }
              response.writeHead(given.status ?? 200, given.headers).end(given.body)
            })
          })
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ seen, server })))
        }
      ),
      ({ server }) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    ),
    ({ seen, server }) => ({ seen, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  )

/** An answer of JSON. */
export const json = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {}
): Answer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value)
})
