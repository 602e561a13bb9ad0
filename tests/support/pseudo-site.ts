import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import en from '../../src/messages/en.json' with { type: 'json' }
import { environmentOf, programOf } from './demo-processes.ts'
import { freePorts } from './free-port.ts'
import { startOwnProcess } from './own-process.ts'
import { pseudoCatalog } from './pseudo-catalog.ts'
import { machineOf } from './site-machine.ts'
import { waitFor } from './wait-for.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A second site of the demo in this folder, whose English is the pseudo catalog. It shares everything else with the first. */
export async function startPseudoSite(dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'bakter-pseudo-'))
  const [port, healthPort] = await freePorts(2)
  const url = `http://127.0.0.1:${port}`
  const catalog = join(folder, 'catalog.json')
  writeFileSync(catalog, JSON.stringify(pseudoCatalog(en)))
  const site = startOwnProcess({
    command: process.execPath,
    args: ['--conditions=production', '--enable-source-maps', join(ROOT, 'dist/site.mjs')],
    cwd: machineOf(join(folder, 'site')),
    env: {
      ...environmentOf(programOf(dataDir, 'site')),
      PORT: String(port),
      SITE_HEALTH_PORT: String(healthPort),
      SITE_URL: url,
      CATALOG_FILE: catalog,
      // It belongs to this test, not to the supervisor.
      BAKTER_SUPERVISED: '0',
    },
  })
  const stop = async () => {
    await site.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const isReady = async () => {
    site.mustRun()
    return (await fetch(`http://127.0.0.1:${healthPort}/health/ready`)).ok
  }
  await waitFor('the pseudo site', isReady, 60_000).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url, stop }
}
