import fs from 'node:fs/promises'
import path from 'node:path'
import type { ServerLayout } from './layout.ts'

/** Takes away what npm kept: it is of no use to the server. The node's own cache has it (agents/npm). */
export const afterInstall = async (layout: ServerLayout): Promise<void> => {
  for (const folder of [layout.npm, path.join(layout.root, '.npm')])
    await fs.rm(folder, { recursive: true, force: true })
}
