import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { startEmbeddedPostgres } from '../../../scripts/embedded-postgres.mjs'
import { freePort } from '../../support/free-port.ts'
import { startOwnProcess } from '../../support/own-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const MODULE = new URL('../../../scripts/embedded-postgres.mjs', import.meta.url).href

test('the server ends when the process that started it is killed, and the folder starts again', async () => {
  const folder = temporaryFolder()
  const options = {
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password: 'a b',
    logFile: join(folder, 'log'),
    durable: false,
  }
  writeFileSync(
    join(folder, 'start.mjs'),
    `import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)}
     const server = await startEmbeddedPostgres(${JSON.stringify(options)})
     console.log('ready', server.pid)
     setInterval(() => {}, 1000)`,
  )
  const starter = startOwnProcess({ command: process.execPath, args: [join(folder, 'start.mjs')] })
  await starter.waitForOutput(/ready \d+/, 60_000)
  starter.signal('SIGKILL')
  await waitFor('the server to end', () => !existsSync(join(folder, 'data/postmaster.pid')))
  expect(readFileSync(join(folder, 'log'), 'utf8')).toContain('database system is shut down')

  const again = await startEmbeddedPostgres(options)
  expect(again.isNew).toBe(false)
  await again.stop()
})

test('a folder of another PostgreSQL version is refused', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'PG_VERSION'), '16\n')
  const options = { dataDir: folder, port: await freePort(), password: 'x', logFile: join(folder, 'log') }
  await expect(startEmbeddedPostgres(options)).rejects.toThrow(/was made by PostgreSQL 16; this version needs 18/)
})
