/** What a movement of money belongs to, next to the id of that document. */
export type LedgerDocument =
  'order' | 'renewal' | 'modification' | 'payment' | 'grant' | 'correction' | 'refund' | 'premium' | 'spins' | 'spin'
