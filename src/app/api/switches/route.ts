import { identity } from '@/identity/dependencies.ts'
import { readSwitches } from '@/identity/switches.ts'
import { apiHandler } from '@/lib/api-handler.ts'

export const GET = apiHandler('GET /api/switches', async () => ({ body: await readSwitches(identity().db) }))
