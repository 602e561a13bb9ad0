import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

/** sun_path holds 108 bytes including its terminator. */
const MAX_SOCKET_PATH = 107
const NAME = 'shim.sock'

export interface SocketAddress {
  readonly path: string
  release(): void
}

/**
 * The address of a shim's socket. A folder with too long a path is addressed through an open descriptor, so that the
 * socket always stays in the server's own state folder and never in a folder that others can write to.
 */
export const socketAddress = (folder: string): SocketAddress => {
  const direct = path.join(folder, NAME)
  if (Buffer.byteLength(direct) <= MAX_SOCKET_PATH) return { path: direct, release: () => {} }
  const handle = fs.openSync(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)
  return { path: `/proc/self/fd/${handle}/${NAME}`, release: () => fs.closeSync(handle) }
}

/** Messages to a shim, one JSON text per line. */
export type ToShim = { readonly line: string } | { readonly signal: NodeJS.Signals } | { readonly watch: true }

/** Messages from a shim. `lines` is the number of the newest console line, `exit` is the last message. */
export type FromShim = { readonly ok: boolean } | { readonly lines: number } | { readonly exit: true }

/** Splits a stream of JSON lines into messages. An invalid line ends the connection: it is not our peer. */
export const onMessages = <T>(socket: net.Socket, take: (message: T) => void): void => {
  socket.setEncoding('utf8')
  let rest = ''
  socket.on('data', (text: string) => {
    rest += text
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 1)
      let message: T
      try {
        message = JSON.parse(line) as T
      } catch {
        socket.destroy()
        return
      }
      take(message)
    }
  })
}

/** Sends one message; to a closed peer it sends nothing. */
export const send = (socket: net.Socket, message: ToShim | FromShim): void => {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`)
}

/** Connects to the shim of a task. Rejects when it does not listen. */
export const connectToShim = (folder: string): Promise<net.Socket> =>
  new Promise((resolve, reject) => {
    const address = socketAddress(folder)
    const socket = net.connect(address.path)
    socket.once('error', (error) => {
      address.release()
      reject(error)
    })
    socket.once('connect', () => {
      address.release()
      socket.removeAllListeners('error')
      // A lost peer is reported as 'close'; the error adds nothing.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
