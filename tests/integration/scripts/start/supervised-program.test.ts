import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { SupervisedProgram } from '../../../../scripts/start/supervised-program.mjs'
import { freePort } from '../../../support/free-port.ts'
import { startOwnProcess } from '../../../support/own-process.ts'
import { stillRunning } from '../../../support/process-tree.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { waitFor } from '../../../support/wait-for.ts'

/** A program as the three are: health, SIGTERM in order, ends with its stdin. */
const PROGRAM = `
  const { createServer } = require('node:http')
  const { appendFileSync } = require('node:fs')
  const note = (word) => appendFileSync(process.env.NOTES, word + ' ' + process.pid + '\\n')
  note('start')
  createServer((request, answer) => answer.end('ok')).listen(Number(process.env.PORT), '127.0.0.1')
  process.on('SIGTERM', () => { note('term'); process.exit(0) })
  process.stdin.on('end', () => { note('orphan'); process.exit(0) }).resume()
  process.on('SIGINT', () => note('interrupt'))
`

async function program() {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'program.cjs'), PROGRAM)
  const port = await freePort()
  const said: string[] = []
  const hears = { line: (_line: string): void => {} }
  const say = (line: string) => {
    said.push(line)
    hears.line(line)
  }
  const options = {
    name: 'sample',
    command: [process.execPath, join(folder, 'program.cjs')],
    env: { PORT: String(port), NOTES: join(folder, 'notes') },
    healthUrl: `http://127.0.0.1:${port}`,
    logFile: join(folder, 'sample.log'),
    isDevelopment: false,
  }
  const notes = () => (existsSync(join(folder, 'notes')) ? readFileSync(join(folder, 'notes'), 'utf8') : '')
  return {
    folder,
    options,
    said,
    hears,
    notes,
    supervised: new SupervisedProgram({ ...options, say }),
  }
}

test('a killed program is restarted, and this is reported', async () => {
  const { supervised, said, notes } = await program()
  onTestFinished(() => supervised.kill())
  supervised.start()
  await supervised.waitUntilReady(60_000)
  const first = supervised.pid ?? 0
  process.kill(first, 'SIGKILL')
  await waitFor('another process', () => notes().match(/start/g)?.length === 2)
  await supervised.waitUntilReady(60_000)
  expect(supervised.pid).not.toBe(first)
  expect(said).toEqual([expect.stringContaining('sample ended unexpectedly (SIGKILL); starting it again in 0.5 s.')])
  await supervised.stop(60_000)
  expect(notes()).toContain('term')
  expect(await supervised.isReady()).toBe(false)
})

test('a program that cannot start is abandoned with the end of its log', async () => {
  const { options } = await program()
  const supervised = new SupervisedProgram({
    ...options,
    command: [process.execPath, '-e', 'console.error("no such setting"); process.exit(3)'],
    say: () => {},
  })
  onTestFinished(() => supervised.kill())
  supervised.start()
  await expect(supervised.waitUntilReady(60_000)).rejects.toThrow(/sample does not start[\s\S]*no such setting/)
})

test('the death of the supervisor ends the program, Ctrl-C in its terminal does not', async () => {
  const { folder, options, notes } = await program()
  const supervisor = `
    import { SupervisedProgram } from ${JSON.stringify(new URL('../../../../scripts/start/supervised-program.mjs', import.meta.url).href)}
    const program = new SupervisedProgram({ ...${JSON.stringify(options)}, say: () => {} })
    program.start()
    process.on('SIGINT', () => console.log('interrupted'))
    setInterval(() => {}, 1000)
  `
  writeFileSync(join(folder, 'supervisor.mjs'), supervisor)
  const own = startOwnProcess({ command: process.execPath, args: [join(folder, 'supervisor.mjs')] })
  await waitFor('the program', () => notes().includes('start'))
  own.signal('SIGINT')
  await own.waitForOutput('interrupted')
  own.signal('SIGKILL')
  await waitFor('the orphan to notice', () => notes().includes('orphan'))
  expect(notes()).not.toContain('interrupt')
})

test('a change that arrives while a program is replaced, or waits after a crash, leaves one process', async () => {
  const { supervised, notes, hears } = await program()
  onTestFinished(() => supervised.kill())
  supervised.start()
  await supervised.waitUntilReady(60_000)
  await Promise.all([supervised.restartNow(), supervised.restartNow()])
  await waitFor('another process', () => notes().match(/start/g)?.length === 2)
  await supervised.waitUntilReady(60_000)
  // At once: a busy machine may look for the line when the pause is over.
  const replaced = new Promise<void>((done) => {
    hears.line = (line) => {
      if (line.includes('starting it again in 0.5 s')) queueMicrotask(() => void supervised.restartNow().then(done))
    }
  })
  process.kill(supervised.pid ?? 0, 'SIGKILL')
  await replaced
  await waitFor('a third process', () => notes().match(/start/g)?.length === 3)
  await supervised.waitUntilReady(60_000)
  // Longer than the pause after a crash.
  await new Promise((done) => setTimeout(done, 1_000))
  expect(notes().match(/start/g)).toHaveLength(3)
})

test('in development no part of a program outlives it', async () => {
  const { options, folder } = await program()
  const worker = join(folder, 'worker.cjs')
  writeFileSync(
    worker,
    "require('node:fs').writeFileSync(process.argv[2], String(process.pid)); setInterval(() => {}, 1e3)",
  )
  const file = join(folder, 'worker.pid')
  const start = `require('node:child_process').fork(${JSON.stringify(worker)}, [${JSON.stringify(file)}])`
  // The worker does not notice that its parent has gone.
  writeFileSync(join(folder, 'program.cjs'), `${PROGRAM}\n${start}.unref()`)
  const supervised = new SupervisedProgram({ ...options, isDevelopment: true, say: () => {} })
  onTestFinished(() => supervised.kill())
  supervised.start()
  await supervised.waitUntilReady(60_000)
  const pid = await waitFor('the worker', () => (existsSync(file) && Number(readFileSync(file, 'utf8'))) || undefined)
  await supervised.stop(60_000)
  await waitFor('the worker to end', () => stillRunning([pid]).length === 0)
  expect(stillRunning([pid])).toEqual([])
})
