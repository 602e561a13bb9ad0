import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { ControlDatabase } from './control-database.ts'
import { barionRig, type BarionRig } from './provider-rigs.ts'
import { shopDatabase } from './shop.ts'
import { tillOf } from './till-of.ts'

/**
 * The payments of a test file with Barion alone, on a separate database. After each test the emulator has no faults,
 * and the books balance.
 */
export function barionTill(connections?: number) {
  let database: ControlDatabase
  let rig: BarionRig
  beforeAll(async () => {
    database = await shopDatabase(connections)
    rig = await barionRig()
  })
  afterEach(async () => {
    rig.barion.set('nothing')
    expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  })
  afterAll(async () => {
    await rig.barion.close()
    await database.close()
  })
  return {
    till: tillOf(
      () => database,
      () => [rig.provider],
    ),
    get database() {
      return database
    },
    get rig() {
      return rig
    },
  }
}
