'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import { useMemo } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { bytesText } from '@/lib/format/size.ts'
import { filesOf } from './files-context.tsx'
import { usageQuery } from './files-queries.ts'

/** How much the files of a server are, without its bin; nothing for a reader who may not list them, while its node is away, and before it is measured. */
export const FilesSize = ({ server }: { server: Server }) => {
  const locale = useLocale()
  const files = useMemo(() => filesOf(server, Date.now()), [server])
  const usage = useQuery({ ...usageQuery(files), enabled: files.may('file.list') }).data
  return usage === undefined || usage.bytes === 0 ? null : <b>{bytesText(usage.bytes, locale)}</b>
}
