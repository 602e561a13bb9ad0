// Rotates the keys of the database in DATABASE_URL while the programs run. Prints its actions.
import { randomBytes } from 'node:crypto'

import { v7 } from 'uuid'

import { openIdentityDatabase } from '../src/identity/context/database.ts'
import { masterKeys } from '../src/identity/keys/master-keys.ts'
import { rotateKeys } from '../src/identity/keys/rotate-keys.ts'
import { createSealer } from '../src/identity/context/sealing.ts'
import { parseSettings, SettingsInvalid } from '../src/lib/site/env.ts'

/** Exit code for faults that the user can fix: stderr then contains one sentence. */
const EX_CONFIG = 78

async function rotate(): Promise<void> {
  const settings = parseSettings(process.env)
  const db = openIdentityDatabase(settings.databaseUrl, { maxConnections: 4 })
  try {
    const parts = {
      db,
      clock: { now: () => Date.now() },
      ids: { next: () => v7(), bytes: (length: number) => new Uint8Array(randomBytes(length)) },
      masters: masterKeys(settings),
    }
    const report = await rotateKeys({ ...parts, sealer: () => createSealer(parts), olderSecret: settings.sealSecret })
    if (report.isContinued) console.log('A rotation that had been interrupted is finished.')
    console.log(`${report.resealed} secrets are sealed under the new key.`)
    console.log('The new signing key signs in 15 minutes; tokens of the old one are believed for 24 hours.')
    if (report.removedKeys.length > 0)
      console.log(`Old keys that nothing uses any more: ${report.removedKeys.length} removed.`)
  } finally {
    await db.close()
  }
}

try {
  await rotate()
} catch (error) {
  const isSentence = error instanceof SettingsInvalid
  console.error(isSentence ? error.message : error)
  process.exit(isSentence ? EX_CONFIG : 1)
}
