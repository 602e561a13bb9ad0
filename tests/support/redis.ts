import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from './free-port.ts'
import { startOwnProcess } from './own-process.ts'
import { waitFor } from './wait-for.ts'

export interface TestRedis {
  url: string
  port: number
  pid: number
  stop(): Promise<void>
}

/** Starts an empty, separate redis-server in its own folder; needs Debian's package redis-server. */
export async function startTestRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'bakter-redis-'))
  const port = await freePort()
  const flags = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
  }
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  const server = startOwnProcess({ command: 'redis-server', args })
  await waitFor('redis-server', async () => {
    server.mustRun()
    const info = await ask(port, 'INFO server')
    const answering = Number(/process_id:(\d+)/.exec(info)?.[1])
    if (answering !== server.pid) throw new Error(`Process ${answering} answers on the port of process ${server.pid}.`)
    return true
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: server.pid,
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function ask(port: number, command: string): Promise<string> {
  return new Promise((done, fail) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\nQUIT\r\n`))
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    socket.once('end', () => done(answer))
    socket.once('error', fail)
  })
}
