import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Ids } from './context.ts'

export const systemIds: Ids = { next: () => v7(), bytes: (length) => new Uint8Array(randomBytes(length)) }
