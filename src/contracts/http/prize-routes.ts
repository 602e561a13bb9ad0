import * as z from 'zod'
import { Id, MAX_ITEMS } from '../primitives.ts'
import { PremiumAnswer, PremiumRequest, PremiumView } from './premium.ts'
import {
  SpinAnswer,
  SpinCouponRequest,
  SpinPage,
  SpinPath,
  SpinProof,
  SpinPurchase,
  SpinRequest,
  WheelView,
} from './spin.ts'

/** Rows of the API table: premium and the prize wheel. */
export const PRIZE_ROUTES = {
  'GET /api/premium': {
    summary: "Get the premium tiers and the caller's own tier",
    auth: 'user',
    limit: 'read',
    call: 'premium',
    output: PremiumView,
  },
  'POST /api/premium': {
    summary: 'Buy a premium tier',
    auth: 'user',
    limit: 'order',
    input: PremiumRequest,
    output: PremiumAnswer,
    status: 201,
    idempotency: 'required',
  },
  'GET /api/spin': {
    summary: "Get the prize wheel: odds, commitment of the next draw and the caller's spins",
    auth: 'user',
    limit: 'read',
    call: 'wheel',
    output: WheelView,
  },
  'POST /api/spin': {
    summary: 'Spin the prize wheel',
    auth: 'user',
    limit: 'spin',
    input: SpinRequest,
    call: 'spin',
    inputAs: 'request',
    output: SpinAnswer,
    status: 201,
    idempotency: 'required',
  },
  'POST /api/spin/buy': {
    summary: 'Buy spins',
    auth: 'user',
    limit: 'order',
    input: SpinPurchase,
    call: 'buy-spins',
    inputAs: 'request',
    output: WheelView,
    status: 201,
    idempotency: 'required',
  },
  'POST /api/spin/coupon': {
    summary: 'Redeem a spin coupon',
    auth: 'user',
    limit: 'spinCoupon',
    input: SpinCouponRequest,
    call: 'spin-coupon',
    inputAs: 'request',
    output: WheelView,
    status: 201,
  },
  'GET /api/spin/history': {
    summary: "List the caller's draws",
    auth: 'user',
    limit: 'read',
    query: z.object({ limit: z.coerce.number().int().min(1).max(MAX_ITEMS).optional(), before: Id.optional() }),
    call: 'spins',
    output: SpinPage,
  },
  'GET /api/spin/{id}': {
    summary: "Get the proof that verifies one of the caller's draws",
    auth: 'user',
    limit: 'read',
    path: SpinPath,
    call: 'spin-proof',
    idAs: 'spinId',
    output: SpinProof,
  },
} as const
