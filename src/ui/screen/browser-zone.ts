'use client'
import { useSyncExternalStore } from 'react'
import { siteTimeZone } from '@/i18n/locales.ts'

const never = () => () => {}
const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const serverZone = (): string => siteTimeZone

/** The browser's own time zone; while a page comes from the server, the site's. */
export const useBrowserZone = (): string => useSyncExternalStore(never, browserZone, serverZone)
