import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { startDemo } from '../support/demo.ts'

/**
 * Global set-up of the end-to-end tests: a demo with an empty data folder. Tests read its addresses and accounts from the
 * file that BAKTER_DEMO_FILE names. Returns the tear-down.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = fileURLToPath(new URL('../../.build/e2e', import.meta.url))
  rmSync(dataDir, { recursive: true, force: true })
  const demo = await startDemo({ dataDir })
  process.env['BAKTER_DEMO_FILE'] = `${dataDir}/demo.json`
  return demo.stop
}
