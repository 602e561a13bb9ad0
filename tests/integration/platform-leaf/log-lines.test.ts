import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const run = promisify(execFile)
const CANARY = 'canary-of-a-secret'

/** The lines that a program writes when its log is given these fields; each logger writes to the real output. */
const linesOf = async (logger: string, fields: object, text = 'said'): Promise<string[]> => {
  const code = `${logger}\nlog.info(${JSON.stringify(fields)}, ${JSON.stringify(text)})`
  const node = ['--conditions=development', '--import', 'tsx', '--input-type=module', '--eval', code]
  const { stdout, stderr } = await run(process.execPath, node)
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '')
}

const LOGS = [
  ['a program', `import { createLogger } from './src/platform/logger.ts'\nconst log = createLogger('site', 'debug')`],
  [
    'a route of the site',
    `import { logLine } from './src/lib/site/log-line.ts'\nconst log = { info: (fields, text) => logLine('warn', fields, text) }`,
  ],
] as const

const SECRETS = ['password', 'token', 'secret', 'authorization', 'cookie']

test('the fields of a child logger are redacted too', async () => {
  const logger = `import { createLogger } from './src/platform/logger.ts'
const log = createLogger('site').child({ token: '${CANARY}', job: { password: '${CANARY}', id: 'a' } })`
  const [line = ''] = await linesOf(logger, { cookie: CANARY })
  expect(line).not.toContain(CANARY)
  expect(JSON.parse(line)).toMatchObject({ program: 'site', token: '[redacted]', job: { id: 'a' } })
})

describe.each(LOGS)('a log line of %s', (_name, logger) => {
  test('a log line has no secret at any depth of our own objects (case 158)', async () => {
    const fields = Object.fromEntries(SECRETS.map((name) => [name, CANARY]))
    const lines = await linesOf(logger, { ...fields, request: fields, err: { request: fields } })
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain(CANARY)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'said', request: { password: '[redacted]' } })
  })

  test('a log entry stays one line, whatever a name contains: no line end, no terminal colour (case 158)', async () => {
    const name = 'anna\n{"level":30,"msg":"forged"}\r\n\u001B[31mred\u001B[0m\u2028'
    const lines = await linesOf(logger, { username: name, path: `/${name}` }, `said ${name}`)
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('\u001B')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ username: name, msg: `said ${name}` })
  })
})
