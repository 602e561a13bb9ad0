import { connect, isIP, type Socket } from 'node:net'

/**
 * How a tcp connection to an address ends: accepted, refused, or without an answer in time. `busy`: too many are being tried at the
 * moment.
 */
export type PortProbe = (target: {
  readonly ip: string
  readonly port: number
}) => Promise<'open' | 'closed' | 'silent' | 'busy'>

type ProbeSettings = {
  readonly timeoutMs: number
  readonly atOnce: number
  readonly dial?: (target: { host: string; port: number; timeout: number }) => Socket
}

const REFUSED = ['ECONNREFUSED', 'ECONNRESET']

/** Probes ports with a time limit each, and at most so many at once. Names are never looked up, and nothing is sent. */
export function createPortProbe({ timeoutMs, atOnce, dial = connect }: ProbeSettings): PortProbe {
  let running = 0
  const probe = ({ ip, port }: Parameters<PortProbe>[0]) =>
    new Promise<'open' | 'closed' | 'silent'>((resolve) => {
      const socket = dial({ host: ip, port, timeout: timeoutMs })
      const end = (answer: 'open' | 'closed' | 'silent'): void => {
        socket.destroy()
        resolve(answer)
      }
      socket.once('connect', () => end('open'))
      socket.once('timeout', () => end('silent'))
      socket.once('error', (error: NodeJS.ErrnoException) =>
        end(REFUSED.includes(error.code ?? '') ? 'closed' : 'silent'),
      )
    })
  return async (target) => {
    if (isIP(target.ip) === 0) return 'silent'
    if (running >= atOnce) return 'busy'
    running += 1
    try {
      return await probe(target)
    } finally {
      running -= 1
    }
  }
}
