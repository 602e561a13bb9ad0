import { revalidateTag } from 'next/cache'
import * as z from 'zod'
import { isRightSecret } from '#platform/right-secret.ts'
import { INTERNAL_HEADERS } from '#contracts/internal-api/calls.ts'
import { siteSettings } from '@/lib/site/env.ts'
import { readJson } from '@/lib/site/request-body.ts'

const Tags = z.object({ tags: z.array(z.string().min(1).max(128)).max(100) })

// The server forwards this path only from its private listener; the secret is checked all the same.
export const POST = async (request: Request): Promise<Response> => {
  const secret = request.headers.get(INTERNAL_HEADERS.secret) ?? undefined
  if (!isRightSecret(secret, siteSettings().internalSecret)) return new Response(null, { status: 404 })
  const parsed = Tags.safeParse(await readJson(request).catch(() => null))
  if (!parsed.success) return new Response(null, { status: 400 })
  for (const tag of parsed.data.tags) revalidateTag(tag, { expire: 0 })
  return Response.json(parsed.data)
}
