import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { postgresLedgerStore } from '../../../control-plane/money/ledger/postgres-ledger-store.ts'
import { controlDatabase, type ControlDatabase } from '../../factories/control-database.ts'
import { ledgerStoreSuite } from '../../suites/ledger-store.suite.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await controlDatabase()
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

ledgerStoreSuite('PostgreSQL', () => postgresLedgerStore(database.db))
