import { memoryLedgerStore } from '../../../../../control-plane/money/ledger/memory-ledger-store.ts'
import { ledgerStoreSuite } from '../../../../suites/ledger-store.suite.ts'

ledgerStoreSuite('memory', memoryLedgerStore)
