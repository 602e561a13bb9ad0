'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { User } from '#contracts/http/user.ts'
import { meQuery } from '@/lib/queries/queries.ts'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'

type PersonRegionProps = { rows: number; children: (user: User) => ReactNode }

/** A part of the settings about the person; `rows` approximates its height. */
export const PersonRegion = ({ rows, children }: PersonRegionProps) => {
  const t = useTranslations('settings')
  const common = useTranslations('common')
  return (
    <Region
      query={useQuery(meQuery())}
      skeleton={<SkeletonRows rows={rows} label={common('loading')} />}
      failed={t('loadFailed')}
    >
      {children}
    </Region>
  )
}
