/** Fault points of a renewal, in the order in which they are passed. Tests end the process at each of them. */
export const RENEWAL_FAULTS = [
  'renewal.begin',
  'renewal.locked',
  'renewal.held',
  'renewal.renewal-written',
  'renewal.server-written',
  'renewal.statement-written',
  'renewal.told',
  'renewal.captured',
  'renewal.committed',
] as const
