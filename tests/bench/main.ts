import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { startDemo } from '../support/demo.ts'
import { startTestPostgres } from '../support/postgres.ts'
import { benchAgent } from './agent.ts'
import { benchConsole } from './console.ts'
import { benchHttp } from './http.ts'
import { benchLedger } from './ledger.ts'
import { benchLighthouse } from './lighthouse.ts'
import { idleMemory } from './memory.ts'
import { benchOnly } from './only.ts'
import { renderReport, type Section } from './report.ts'

/** How long the programs are left alone before their memory is read. */
const SETTLE_MS = 10_000

const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}, Linux ${process.arch}.`

async function measureDemo(): Promise<Section[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bakter-bench-'))
  const demo = await startDemo({ dataDir, env: { AGENT_RUNTIME: 'process', TRUSTED_PROXIES: '127.0.0.1' } })
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    return [idleMemory(dataDir), await benchHttp(demo.file), await benchLighthouse(demo.file.url)]
  } finally {
    await demo.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function benchAll(): Promise<void> {
  const postgres = await startTestPostgres()
  const sections = [await benchLedger(), await benchConsole(), await benchAgent()]
  await postgres.stop()
  sections.push(...(await measureDemo()))
  const page = renderReport(sections, machine)
  await writeFile('docs/benchmarks.md', page)
  console.log(page)
}

const parts = process.argv.slice(2)
await (parts.length > 0 ? benchOnly(parts, machine) : benchAll())
