import { memoryLedgerStore } from '../../support/memory-ledger-store.ts'
import { ledgerStoreSuite } from '../../suites/ledger-store.suite.ts'

ledgerStoreSuite('memory', memoryLedgerStore)
