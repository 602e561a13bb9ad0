import config from '@payload-config'
import { getNextRequestI18n } from '@payloadcms/next/utilities'
import { generatePageMetadata, RootPage } from '@payloadcms/next/views'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { awaitsFactor, hasStaffGrants, isAdministrator } from '@/cms/access/grants.ts'
import { payloadSegments } from '@/cms/admin/overview.ts'
import { isForSupport } from '@/cms/admin/ticket-area.ts'
import { TicketsOnly } from '@/cms/admin/tickets-only.tsx'
import { cms } from '@/cms/start/payload.ts'
import { importMap } from '../import-map.ts'

type Args = {
  params: Promise<{ segments?: string[] }>
  searchParams: Promise<{ [key: string]: string | string[] }>
}

const forPayload = async (params: Args['params']) =>
  ({ segments: payloadSegments((await params).segments) }) as { segments: string[] }

export const generateMetadata = ({ params, searchParams }: Args): Promise<Metadata> =>
  generatePageMetadata({ config, params: forPayload(params), searchParams })

// Pages closed to support are refused before Payload handles them: it would claim that the page does not exist.
export default async function AdminPage({ params, searchParams }: Args) {
  const [{ segments }, payload] = await Promise.all([params, cms()])
  const { user } = await payload.auth({ headers: await headers() })
  if (hasStaffGrants(user) && !isAdministrator(user) && !isForSupport(segments ?? [])) {
    const { language } = await getNextRequestI18n({ config: payload.config })
    return <TicketsOnly language={language} awaitsFactor={awaitsFactor(user)} />
  }
  return RootPage({ config, importMap, params: forPayload(params), searchParams })
}
