'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { User } from '#contracts/http/user.ts'
import { meQuery } from '@/lib/queries/queries.ts'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'

/** Nobody: what a form shows of its person before that is known. */
export const NOBODY: User = {
  id: '',
  username: '\u00A0',
  identifier: '',
  email: '',
  twoFactor: false,
  role: [],
  balance: null,
  verified: true,
  premium: null,
  premiumExpiry: null,
  profilePictureId: null,
  spinCount: null,
  contact: { firstName: '', lastName: '', streetAndHouseNumber: '', postalCode: '', city: '', phoneNumber: '' },
  billing: { country: '', company: '', taxNumber: '' },
  invoiceType: 'electronic',
  language: 'en',
  timeZone: '',
}

type PersonRegionProps = {
  /** The approximate height of a part that must not be shown empty, because it depends on the reader's browser. */
  rows?: number
  children: (user: User) => ReactNode
}

/** A part of the settings about the person. It stands from the first paint, empty and locked until the person is known. */
export const PersonRegion = ({ rows, children }: PersonRegionProps) => {
  const t = useTranslations('settings')
  const common = useTranslations('common')
  const query = useQuery(meQuery())
  if (rows === undefined && query.data === undefined && !query.isError) return <div inert>{children(NOBODY)}</div>
  return (
    <Region
      query={query}
      skeleton={<SkeletonRows rows={rows ?? 1} label={common('loading')} />}
      failed={t('loadFailed')}
    >
      {children}
    </Region>
  )
}
