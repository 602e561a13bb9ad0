'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import type { GuideLink } from '#contracts/guides/guide-link.ts'
import { matchingGuidesQuery } from '@/lib/queries/guides-query.ts'
import { useRested } from '@/ui/screen/use-rested.ts'

/** The title stands last, because its last word may be unfinished. The beginning of a message says what it is about. */
const SAID = 400

/** The guides that fit what somebody types, once typing pauses; none if they could not be read. */
export const useGuidesThatFit = ({ title, message }: { title: string; message: string }): readonly GuideLink[] => {
  const typed = useRested(`${message.slice(0, SAID)} ${title}`.trim())
  const query = matchingGuidesQuery(typed, useLocale())
  const { data } = useQuery(query)
  return query.enabled ? (data ?? []) : []
}
