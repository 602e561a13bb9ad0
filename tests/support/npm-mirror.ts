import { fileURLToPath } from 'node:url'

import { RegistryCache } from '../../agents/npm/registry-cache.ts'
import { httpUpstream } from '../../agents/npm/upstream.ts'
import { systemClock } from '#platform/clock.ts'
import { realDisk } from '../../agents/platform/disk.ts'
import { silentLog } from '#platform/logger.ts'

const NPM_REGISTRY = 'https://registry.npmjs.org'
const FOLDER = fileURLToPath(new URL('../../.build/npm-mirror', import.meta.url))

export interface NpmMirror {
  readonly url: string
  close(): void
}

/** A registry at an address that an isolated namespace can reach. It caches the served packages in `.build`. */
export async function startNpmMirror(address: string): Promise<NpmMirror> {
  const { AGENT_NPM_REGISTRY: own, npm_config_registry: inherited, AGENT_CA_BUNDLE: caBundle } = process.env
  const cache = new RegistryCache({
    folder: FOLDER,
    registry: (own || inherited || NPM_REGISTRY).replace(/\/+$/, ''),
    upstream: httpUpstream(caBundle || undefined),
    clock: systemClock,
    disk: realDisk,
    log: silentLog,
  })
  await cache.open(address)
  return { url: cache.url ?? '', close: () => cache.close() }
}
