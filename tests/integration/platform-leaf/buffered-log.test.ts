import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startOwnProcess } from '../../support/own-process.ts'

const LOGGER = `import { createLogger } from './src/platform/logger.ts'
const log = createLogger('site', 'info', { isBuffered: true })
const said = (count) => { for (let at = 0; at < count; at += 1) log.info({ at }, 'said') }
`

/** Runs a program with a buffered log, and resolves with the numbers of the lines that it wrote before its end. */
const linesOf = async (code: string): Promise<{ lines: string[]; signal: string | null }> => {
  const node = ['--conditions=development', '--import', 'tsx', '--input-type=module', '--eval', `${LOGGER}${code}`]
  const program = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  program.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const [, signal] = (await once(program, 'close')) as [number | null, string | null]
  return { lines: text.split('\n').filter((line) => line !== ''), signal }
}

test.each([
  ['ends by itself', 'said(500)'],
  ['is ended', 'said(500); process.exit(1)'],
  ['fails', "said(500); throw new Error('a fault')"],
])('A program that %s has written every line of its buffered log', async (_name, code) => {
  const { lines } = await linesOf(code)
  expect(lines.map((line) => (JSON.parse(line) as { at: number }).at)).toEqual(
    Array.from({ length: 500 }, (_, at) => at),
  )
})

test('An error flushes a buffered log at once, with every line before it', async () => {
  const { lines, signal } = await linesOf(
    "said(3); log.error({ at: 3 }, 'failed'); process.kill(process.pid, 'SIGKILL')",
  )
  expect([signal, lines.map((line) => (JSON.parse(line) as { msg: string }).msg)]).toEqual([
    'SIGKILL',
    ['said', 'said', 'said', 'failed'],
  ])
})

test('A buffered line is written even if no other line follows', async () => {
  const code = `${LOGGER}said(1); setInterval(() => {}, 1_000)`
  const program = startOwnProcess({
    command: process.execPath,
    args: ['--conditions=development', '--import', 'tsx', '--input-type=module', '--eval', code],
  })
  // It lives on, so that nothing but time can have written the line.
  await program.waitForOutput(/said.*\n/, 60_000)
  expect(program.isRunning()).toBe(true)
  program.signal('SIGKILL')
  await program.ended
})

test('A program whose log nobody reads any more goes on, and ends when it is told to', async () => {
  const code = `
    process.on('SIGTERM', () => { said(10); log.error({}, 'stopping'); process.exit(3) })
    setInterval(() => said(1), 10)
    process.stderr.write('ready')`
  const node = ['--conditions=development', '--import', 'tsx', '--input-type=module', '--eval', `${LOGGER}${code}`]
  const program = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'pipe'] })
  await once(program.stderr, 'data')
  program.stdout.destroy()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(program.exitCode).toBeNull()
  program.kill('SIGTERM')
  expect(await once(program, 'exit')).toEqual([3, null])
})

test('A program whose log is read by somebody who has stalled is not held up, and ends when it is told to', async () => {
  const code = `
    process.on('SIGTERM', () => { process.exit(3) })
    said(20_000)
    setInterval(() => process.stderr.write('.'), 10)`
  const node = ['--conditions=development', '--import', 'tsx', '--input-type=module', '--eval', `${LOGGER}${code}`]
  const program = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'pipe'] })
  program.stdout.pause()
  for (let beats = 0; beats < 5; beats += 1) await once(program.stderr, 'data')
  program.kill('SIGTERM')
  expect(await once(program, 'exit')).toEqual([3, null])
})
