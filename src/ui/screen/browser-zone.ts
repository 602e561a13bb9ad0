'use client'
import { useSyncExternalStore } from 'react'
import { siteTimeZone } from '@/i18n/locales.ts'

const never = () => () => {}
const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const serverZone = (): string => siteTimeZone

/** The browser's own time zone; the site's during server rendering. */
export const useBrowserZone = (): string => useSyncExternalStore(never, browserZone, serverZone)
