import * as z from 'zod'
import { Id, MAX_ITEMS } from '../primitives.ts'

/** The parts of a list's call: at most this many, after the item with this id. */
export const Paging = { limit: z.int().min(1).max(MAX_ITEMS).optional(), before: Id.optional() }
