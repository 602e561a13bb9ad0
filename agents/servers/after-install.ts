import fs from 'node:fs/promises'
import path from 'node:path'
import type { ServerLayout } from './layout.ts'

/** Takes npm's cache away again: it would count as the customer's disk space and is of no use to the server. */
export const afterInstall = async (layout: ServerLayout): Promise<void> => {
  await fs.rm(path.join(layout.root, '.npm'), { recursive: true, force: true })
}
