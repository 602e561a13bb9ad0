import { benchAgent } from './agent.ts'
import { benchConsole } from './console.ts'
import { benchLedger } from './ledger.ts'
import { benchLogins } from './logins.ts'
import { withDemo } from './own-demo.ts'
import { startTestPostgres } from '../support/postgres.ts'
import { renderReport, type Section } from './report.ts'

/** Parts that can be measured alone: `npm run bench -- ledger console agent logins`. */
export const PARTS: Readonly<Record<string, () => Promise<Section>>> = {
  ledger: async () => {
    const postgres = await startTestPostgres()
    try {
      return await benchLedger()
    } finally {
      await postgres.stop()
    }
  },
  console: benchConsole,
  agent: benchAgent,
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
