// Clients that mean harm, in a process of their own: half bodies, slow readers, sockets without proof, huge headers.
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

export type Targets = { readonly site: number; readonly gateway: number; readonly agent: number; readonly path: string }
/** Statuses of all responses, and how many connections were opened. */
export type HostileReport = { readonly opened: number; readonly answers: Readonly<Record<string, number>> }

const ADDRESSES = Array.from({ length: 20 }, (_, at) => `127.0.66.${at + 1}`)
/** A connection that was closed is opened again after this time. */
const AGAIN_MS = 1_000
const EACH = { halfBodies: 20, slowReaders: 5, withoutProof: 15, hugeHeaders: 2 }

const head = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`
const HALF_BODY = `${head(['POST /api/auth/login HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 50'])}{`
const SLOW_READ = head(['GET /hu HTTP/1.1', 'Host: x']).repeat(40)
const HUGE = head(['GET /hu HTTP/1.1', 'Host: x', `X-Huge: ${'x'.repeat(60_000)}`])
const handshake = (path: string, port: number): string =>
  head([
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Origin: http://site.test',
  ])

let opened = 0
const answers: Record<string, number> = {}

/** Keeps one such connection, for as long as the process lives. */
const keep = (localAddress: string, port: number, { text, reads }: { text: string; reads: boolean }): void => {
  opened += 1
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  socket
    .on('error', () => {})
    .once('close', () => setTimeout(() => keep(localAddress, port, { text, reads }), AGAIN_MS))
  socket.once('data', (bytes) => {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1] ?? 'other'
    answers[status] = (answers[status] ?? 0) + 1
    if (!reads) socket.pause()
  })
  socket.write(text)
}

const begin = ({ site, gateway, agent, path }: Targets): void => {
  const times = (count: number, run: () => void): void => {
    for (let each = 0; each < count; each += 1) run()
  }
  for (const from of ADDRESSES) {
    times(EACH.halfBodies, () => keep(from, site, { text: HALF_BODY, reads: true }))
    times(EACH.slowReaders, () => keep(from, site, { text: SLOW_READ, reads: false }))
    times(EACH.hugeHeaders, () => keep(from, site, { text: HUGE, reads: true }))
    times(EACH.withoutProof, () => {
      keep(from, gateway, { text: handshake('/api/ws/gateway', gateway), reads: true })
      keep(from, agent, { text: handshake(path, agent), reads: true })
    })
  }
}

process.on('message', (message: Targets | 'report') => {
  if (message === 'report') process.send?.({ opened, answers } satisfies HostileReport)
  else begin(message)
})
process.once('disconnect', () => process.exit())
