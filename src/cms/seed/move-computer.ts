import { withPayload } from '../start/with-payload.ts'
import type { ComputerSeed } from './seed-computer.ts'

export type ComputerMove = Pick<ComputerSeed, 'ip' | 'url' | 'startPort' | 'portCount'>

/**
 * Updates the demo machine to the addresses and ports of this start, and leaves everything else. A machine that staff
 * have deleted stays deleted.
 */
export const moveComputer = (databaseUrl: string, id: string, move: ComputerMove): Promise<void> =>
  withPayload(databaseUrl, async (payload) => {
    await payload.update({
      collection: 'computers',
      overrideAccess: true,
      depth: 0,
      where: { id: { equals: id } },
      data: move,
      context: { disableRevalidate: true },
    })
  })
