import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { bundleFromSource, type Bundles } from '../../agents/platform/bundles.ts'

/** A scratch folder that other users may enter, because servers run under separate users. */
export const scratchFolder = (): { readonly path: string; remove(): void } => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bakter-agent-'))
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Shim and programs of the agent, bundled from source. */
export const bundleForTest = (folder: string): Promise<Bundles> => bundleFromSource(path.join(folder, 'bundles'))

export const shimCommandOf = (bundles: Bundles): readonly string[] => [
  process.execPath,
  '--max-semi-space-size=1',
  '--max-old-space-size=64',
  bundles.shim,
]
