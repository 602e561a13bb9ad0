import { benchAgent } from './agent.ts'
import { benchConsole } from './console.ts'
import { benchCrowd } from './crowd.ts'
import { benchFiles } from './files.ts'
import { benchFirstJoin } from './first-join.ts'
import { benchLedger } from './ledger.ts'
import { benchLogins } from './logins.ts'
import { idleMemory } from './memory.ts'
import { benchOverload } from './overload.ts'
import { benchPages } from './pages.ts'
import { benchPhone } from './phone.ts'
import { benchPostings } from './postings.ts'
import { benchReads } from './reads.ts'
import { benchRenewals } from './renewals.ts'
import { benchServersList } from './servers-list.ts'
import { benchTickets } from './tickets.ts'
import { benchWebhooks } from './webhooks.ts'
import { withDemo } from './own-demo.ts'
import { startTestPostgres } from '../support/postgres.ts'
import { renderReport, type Section } from './report.ts'

async function onPostgres(bench: () => Promise<Section>): Promise<Section> {
  const postgres = await startTestPostgres()
  try {
    return await bench()
  } finally {
    await postgres.stop()
  }
}

/** Parts that can be measured alone: `npm run bench -- ledger postings renewals webhooks console agent files logins reads tickets pages phone first-join crowd overload memory servers-list`. */
export const PARTS: Readonly<Record<string, () => Promise<Section>>> = {
  ledger: () => onPostgres(benchLedger),
  postings: () => onPostgres(benchPostings),
  renewals: benchRenewals,
  webhooks: benchWebhooks,
  console: benchConsole,
  agent: benchAgent,
  files: benchFiles,
  reads: benchReads,
  tickets: benchTickets,
  pages: () => withDemo(({ file }) => benchPages(file)),
  phone: () => withDemo(({ file }) => benchPhone(file)),
  'first-join': () => withDemo(benchFirstJoin),
  crowd: () => withDemo(benchCrowd),
  overload: benchOverload,
  memory: () => withDemo(({ dataDir }) => idleMemory(dataDir)),
  'servers-list': () => withDemo(({ file }) => benchServersList(file)),
  logins: () => withDemo(({ file }) => benchLogins(file)),
}

/** Measures the named parts and prints the page, which is not written: it would lack the other parts. */
export async function benchOnly(names: readonly string[], machine: string): Promise<void> {
  const sections: Section[] = []
  for (const name of names) {
    const bench = PARTS[name]
    if (bench === undefined) throw new Error(`There is no part ${name}; there are ${Object.keys(PARTS).join(', ')}.`)
    sections.push(await bench())
  }
  console.log(renderReport(sections, machine))
}
