import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { FileJob } from '../../src/contracts/panel/file-jobs.ts'
import type { NodeFileCall, NodeFileInput } from '../../src/contracts/panel/node-files.ts'
import { PERMISSIONS } from '../../src/contracts/panel/permissions.ts'
import { waitFor } from '../support/wait-for.ts'
import { openAgentBench, type AgentBench } from './agent-bench.ts'
import { measureRun } from './console.ts'
import { percentile, type Figure } from './report.ts'
import { benchRuntimes } from './runtimes.ts'

const MIB = 1024 * 1024
const SENT_BYTES = 256 * MIB
const SEARCHED = 5_000
const RATE = 100
const SECONDS = 5
const GOAL = { what: 'goal', value: 20 }

/**
 * One server's files by HTTP. Work that moves many bytes runs in a process of its own: the lines are timed in this one.
 */
class Customer {
  readonly #bench: AgentBench
  readonly #serverId: string

  constructor(bench: AgentBench, serverId: string) {
    this.#bench = bench
    this.#serverId = serverId
  }

  async curl(...options: readonly string[]): Promise<void> {
    const run = ['-sS', '--fail', ...(await this.#authorization()), ...options]
    await promisify(execFile)('curl', run)
  }

  contentOf(name: string): string {
    return this.#address(`content?path=${name}`)
  }

  async call<Call extends NodeFileCall>(call: Call, input: NodeFileInput<Call>): Promise<unknown> {
    const headers = { authorization: `Bearer ${await this.#token()}`, 'content-type': 'application/json' }
    const response = await fetch(this.#address(call), { method: 'POST', headers, body: JSON.stringify(input) })
    if (!response.ok) throw new Error(`${call} answered ${response.status}`)
    return response.json()
  }

  /** A job, until it is done. */
  async job<Call extends 'compress' | 'extract' | 'delete' | 'copy'>(
    call: Call,
    input: NodeFileInput<Call>,
  ): Promise<void> {
    const { job } = (await this.call(call, input)) as { job: FileJob }
    const ended = async () => {
      const { jobs } = (await this.call('jobs', {})) as { jobs: FileJob[] }
      return jobs.find(({ id, endedAtMs }) => id === job.id && endedAtMs !== null)
    }
    const { state, refusal } = await waitFor(call, ended, 120_000)
    if (state !== 'done') throw new Error(`${call}: ${state} ${refusal ?? ''}`)
  }

  async delete(...paths: string[]): Promise<void> {
    await this.job('delete', { paths, forever: true })
  }

  #address(end: string): string {
    return `http://127.0.0.1:${this.#bench.agent.port}/servers/${this.#serverId}/files/${end}`
  }

  #token(): Promise<string> {
    const permissions = PERMISSIONS.filter((key) => key.startsWith('file.'))
    return this.#bench.controlPlane.token(
      { purpose: 'files', permissions, server: this.#serverId },
      { kid: 'test', typ: 'files+jwt' },
    )
  }

  async #authorization(): Promise<string[]> {
    return ['-H', `authorization: Bearer ${await this.#token()}`]
  }
}

/** A node answers one person only so often. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 100))

/** Many small texts, as plugins and data packs have them. */
const putPack = async (customer: Customer, folder: string): Promise<void> => {
  const pack = path.join(folder, 'pack')
  mkdirSync(pack)
  for (let index = 0; index < SEARCHED; index += 1) writeFileSync(path.join(pack, `f${index}.txt`), `text ${index}\n`)
  const archive = path.join(folder, 'pack.tar')
  execFileSync('tar', ['-cf', archive, '-C', folder, 'pack'])
  await customer.curl('-T', archive, customer.contentOf('pack.tar'))
  await customer.job('extract', { path: 'pack.tar', format: 'tar', to: 'pack', replaces: false })
}

/** The work of customers, each repeated for as long as the lines are measured. */
const worksOf = (
  customer: Customer,
  local: string,
): readonly (readonly [what: string, work: () => Promise<void>])[] => {
  const back = path.join(path.dirname(local), 'back')
  return [
    [
      'an upload by HTTP',
      async () => {
        await customer.curl('-T', local, customer.contentOf('up.bin'))
        await customer.delete('up.bin')
      },
    ],
    ['a download by HTTP', () => customer.curl('-o', back, customer.contentOf('large.bin'))],
    [
      'a compression to tar.zst',
      async () => {
        await customer.job('compress', { folder: '', names: ['large.bin'], to: 'a.tar.zst', format: 'tar.zst' })
        await customer.delete('a.tar.zst')
      },
    ],
    [
      'an extraction',
      async () => {
        await customer.job('extract', { path: 'kept.tar.zst', format: 'tar.zst', to: 'out', replaces: false })
        await customer.delete('out')
      },
    ],
    [
      'a copy of many small files',
      async () => {
        await customer.job('copy', { moves: [{ from: 'pack', to: 'copy' }] })
        await customer.delete('copy')
      },
    ],
    [
      'many small files into a zip',
      async () => {
        await customer.job('compress', { folder: '', names: ['pack'], to: 'pack.zip', format: 'zip' })
        await customer.delete('pack.zip')
      },
    ],
    [
      'a search by content',
      async () => {
        await customer.call('search', { path: 'pack', name: '', content: 'nothing has this line' })
        await pause()
      },
    ],
  ]
}

/** From a program's print to its reader's socket, in ms, while the work goes on. */
const linesBeside = async (bench: AgentBench, serverId: string, work: () => Promise<void>): Promise<number> => {
  const watcher = await bench.openConsole(serverId)
  try {
    await measureRun([watcher], (run) => `go ${RATE} 1 ${run}`)
    let isOver = false
    const working = (async () => {
      while (!isOver) await work()
    })()
    const [state] = await measureRun([watcher], (run) => `go ${RATE} ${SECONDS} ${run}`)
    isOver = true
    await working
    return percentile(state?.delaysMs ?? [], 0.99)
  } finally {
    watcher.close()
  }
}

/** How late the lines of a console are while its owner works on the files of the same server. */
export const consoleBesideFiles = async (): Promise<Figure[]> => {
  const [runtime] = benchRuntimes().runtimes.filter(({ name }) => name === 'process')
  if (runtime === undefined) throw new Error('Every machine runs processes.')
  const bench = await openAgentBench(runtime)
  const folder = mkdtempSync(path.join(tmpdir(), 'bakter-bench-'))
  try {
    const serverId = await bench.addServer(1)
    const customer = new Customer(bench, serverId)
    const local = path.join(folder, 'large.bin')
    writeFileSync(local, randomBytes(SENT_BYTES))
    await customer.curl('-T', local, customer.contentOf('large.bin'))
    await customer.job('compress', { folder: '', names: ['large.bin'], to: 'kept.tar.zst', format: 'tar.zst' })
    const figure = (what: string, value: number): Figure => ({
      what: `console lines, p99: ${what}`,
      value,
      unit: 'ms',
      against: GOAL,
    })
    await putPack(customer, folder)
    const figures = [figure('nobody works', await linesBeside(bench, serverId, pause))]
    for (const [what, work] of worksOf(customer, local)) {
      figures.push(figure(what, await linesBeside(bench, serverId, work)))
    }
    return figures
  } finally {
    await bench.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
