'use client'
import type * as z from 'zod'
import { keys } from '@/lib/queries/queries.ts'
import { useKeyedMutation } from '@/lib/browser-client/use-keyed-mutation.ts'
import { prizeKeys } from './prize-queries.ts'

type Purchase<Body, Schema extends z.ZodType> = {
  path: `/api/${string}`
  schema: Schema
  onDone: (answer: z.infer<Schema>, body: Body) => void
}

/** Buys premium or spins, or spins once. Premium is a contract that can be withdrawn from. */
export const usePurchase = <Body extends object, Schema extends z.ZodType>(purchase: Purchase<Body, Schema>) =>
  useKeyedMutation<Body, Schema>({ ...purchase, stale: [keys.me, keys.balance, keys.withdrawals, prizeKeys.premium] })
