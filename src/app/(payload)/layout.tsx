import config from '@payload-config'
import '@fontsource-variable/atkinson-hyperlegible-mono'
import '@fontsource-variable/atkinson-hyperlegible-next'
import '@payloadcms/next/css'
import { handleServerFunctions, RootLayout } from '@payloadcms/next/layouts'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import type { ServerFunctionClient } from 'payload'
import type { ReactNode } from 'react'
import { ReturnToSession } from '@/cms/admin/return-to-session.tsx'
import { admittedCall, withoutIdleLock } from '@/cms/admin/staff-functions.ts'
import { wayOutOfAdmin } from '@/cms/admin/way-out.ts'
import { cms } from '@/cms/start/payload.ts'
import { importMap } from './admin/import-map.ts'
import '@/ui/styles/fallback-fonts.css'
import './admin/admin.css'
import './admin/tickets.css'

const serverFunction: ServerFunctionClient = async (asked) => {
  'use server'
  const payload = await cms()
  const { user } = await payload.auth({ headers: await headers() })
  const call = admittedCall(asked, user)
  if (call === null) notFound()
  return handleServerFunctions({ ...(await withoutIdleLock(call, { payload, user })), config, importMap })
}

// Payload's own layout answers 200 with an empty shell and decides in the browser; here unauthorized visitors get
// nothing.
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const payload = await cms()
  const { user } = await payload.auth({ headers: await headers() })
  if (!user) {
    return (
      <html lang="en">
        <body>
          <ReturnToSession />
        </body>
      </html>
    )
  }
  const wayOut = wayOutOfAdmin(user)
  if (wayOut !== null) redirect(wayOut)
  return (
    <RootLayout config={config} importMap={importMap} serverFunction={serverFunction}>
      {children}
    </RootLayout>
  )
}
