import config from '@payload-config'
import { REST_DELETE, REST_GET, REST_OPTIONS, REST_PATCH, REST_POST, REST_PUT } from '@payloadcms/next/routes'
import { guardChange } from '@/lib/guard-change.ts'

export const GET = REST_GET(config)
export const POST = guardChange(REST_POST(config))
export const DELETE = guardChange(REST_DELETE(config))
export const PATCH = guardChange(REST_PATCH(config))
export const PUT = guardChange(REST_PUT(config))
export const OPTIONS = REST_OPTIONS(config)
