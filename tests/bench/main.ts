import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { installTools } from '../../scripts/suites/test-tools.mjs'
import { startTestPostgres } from '../support/postgres.ts'
import { benchAgent } from './agent.ts'
import { benchConsole } from './console.ts'
import { benchCrowd } from './crowd.ts'
import { benchFiles } from './files.ts'
import { benchFirstJoin } from './first-join.ts'
import { benchHttp } from './http.ts'
import { benchLedger } from './ledger.ts'
import { benchLighthouse } from './lighthouse.ts'
import { benchLogins } from './logins.ts'
import { idleMemory } from './memory.ts'
import { benchOnly } from './only.ts'
import { withDemo } from './own-demo.ts'
import { benchOverload } from './overload.ts'
import { benchPages } from './pages.ts'
import { benchPhone } from './phone.ts'
import { benchPostings } from './postings.ts'
import { benchReads } from './reads.ts'
import { benchRenewals } from './renewals.ts'
import { renderReport, type Section } from './report.ts'
import { DOCKER_TOOLS } from './runtimes.ts'
import { benchServersList } from './servers-list.ts'
import { benchTickets } from './tickets.ts'
import { benchWebhooks } from './webhooks.ts'

const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}, Linux ${process.arch}.`

const measureDemo = (): Promise<Section[]> =>
  withDemo(async (demo) => {
    const { file, dataDir } = demo
    const sections = [
      await idleMemory(dataDir),
      await benchHttp(file),
      await benchLighthouse(file.url),
      await benchPhone(file),
      await benchServersList(file),
    ]
    return [...sections, await benchFirstJoin(demo), await benchPages(file), await benchLogins(file)]
  })

/** The programs of every part: one that is missing must not end the run half an hour later. */
const TOOLS = ['chromium', 'pgbench', 'redis-server', 'sftp', 'sftp-server', 'zstd', ...DOCKER_TOOLS]

async function benchAll(): Promise<void> {
  const postgres = await startTestPostgres()
  const sections = [
    await benchLedger(),
    await benchPostings(),
    await benchConsole(),
    await benchAgent(),
    await benchFiles(),
  ]
  await postgres.stop()
  sections.push(await benchRenewals(), await benchWebhooks(), await benchReads(), await benchTickets())
  // The crowd's site is a new one: the parts before would count in its memory.
  sections.push(...(await measureDemo()), await withDemo(benchCrowd), await benchOverload())
  const page = renderReport(sections, machine)
  await writeFile('docs/benchmarks.md', page)
  console.log(page)
}

const refusal = installTools(TOOLS)
if (refusal !== undefined) throw new Error(refusal)
const parts = process.argv.slice(2)
await (parts.length > 0 ? benchOnly(parts, machine) : benchAll())
