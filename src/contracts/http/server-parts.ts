import * as z from 'zod'
import { Id, Instant } from '../primitives.ts'

/** The Backup (save) entity of specification section 3. */
export const Backup = z.object({
  id: Id,
  name: z.string(),
  ignoredFiles: z.array(z.string()),
  locked: z.boolean(),
  createdAt: Instant,
})

/** The Timer entity of specification section 3. */
export const Timer = z.object({
  id: Id,
  name: z.string(),
  command: z.string(),
  month: z.string(),
  dayOfMonth: z.string(),
  dayOfWeek: z.string(),
  hour: z.string(),
  minute: z.string(),
  onlyWhenServerAvailable: z.boolean(),
  enabled: z.boolean(),
})

/** The Database entity of specification section 3. `password` is present once, in the answer to its creation. */
export const Database = z.object({
  id: Id,
  name: z.string(),
  owner: Id,
  username: z.string(),
  password: z.string().optional(),
})

/** The Subdomain entity of specification section 3. */
export const Subdomain = z.object({
  id: Id,
  domain: z.string(),
  name: z.string(),
  target: z.string(),
  status: z.enum(['active', 'inactive', 'pending']),
  createdAt: Instant,
  createdBy: Id,
})
