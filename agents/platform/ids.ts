import { v7 } from 'uuid'

export interface Ids {
  next(): string
}

export const systemIds: Ids = { next: () => v7() }

/** Between 0 and 1; core code takes it as an argument so that back-off is repeatable in tests. */
export type Dice = () => number
export const systemDice: Dice = () => Math.random()
