import config from '@payload-config'
import { REST_DELETE, REST_GET, REST_OPTIONS, REST_PATCH, REST_POST, REST_PUT } from '@payloadcms/next/routes'
import { guardChange } from '@/cms/rest/guard-change.ts'
import { limitByAddress } from '@/cms/rest/limit-by-address.ts'
import { refuseJsonQuery } from '@/cms/rest/refuse-json-query.ts'

export const GET = limitByAddress(REST_GET(config))
export const POST = limitByAddress(guardChange(refuseJsonQuery(REST_POST(config))))
export const DELETE = limitByAddress(guardChange(REST_DELETE(config)))
export const PATCH = limitByAddress(guardChange(REST_PATCH(config)))
export const PUT = limitByAddress(guardChange(REST_PUT(config)))
export const OPTIONS = REST_OPTIONS(config)
