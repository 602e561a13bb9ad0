import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { tmpdir } from 'node:os'
import { installTools } from '../../scripts/suites/test-tools.mjs'
import { APPLICATION_ROLE } from '../factories/control-database.ts'

/** Debian keeps it in a folder for each version of PostgreSQL. */
const DEBIAN = '/usr/lib/postgresql'

function find(): string | undefined {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []
  const folders = [...debian.toReversed(), ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file))
}

/** PostgreSQL's own load generator, installed where it is missing; says what is missing where it cannot be. */
export function pgbench(): string {
  const found = find()
  if (found !== undefined) return found
  const refusal = installTools(['pgbench'])
  const made = find()
  if (made === undefined) throw new Error(`The peer of this bench is pgbench: ${refusal ?? 'its package has none'}.`)
  return made
}

/** Runs one statement from `clients` connections for `seconds`; answers how often a second it was committed. */
export async function pgbenchRate(run: {
  url: string
  statement: string
  clients: number
  seconds: number
}): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'pgbench-'))
  try {
    const file = join(folder, 'statement.sql')
    writeFileSync(file, run.statement)
    const args = ['--no-vacuum', '--protocol=prepared', `--client=${run.clients}`, '--jobs=2', `--time=${run.seconds}`]
    const child = spawn(pgbench(), [...args, `--file=${file}`, run.url], {
      env: { ...process.env, PGOPTIONS: `-c role=${APPLICATION_ROLE}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const code = await new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done))
    const rate = /tps = ([0-9.]+) /.exec(text)?.[1]
    if (code !== 0 || rate === undefined || /aborted in command/.test(text)) throw new Error(`pgbench failed:\n${text}`)
    return Number(rate)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
