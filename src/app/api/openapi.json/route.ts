import { openApiDocument } from '@/lib/openapi.ts'
import { siteSettings } from '@/lib/site/env.ts'

export const dynamic = 'force-dynamic'

export const GET = (): Response =>
  Response.json(openApiDocument(siteSettings().siteUrl), { headers: { 'cache-control': 'private, no-store' } })
