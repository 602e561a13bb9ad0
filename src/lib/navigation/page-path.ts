'use client'
import { usePathname } from 'next/navigation'
import { splitLocale } from '@/i18n/negotiate.ts'

/**
 * The path without its language prefix: the same in the static page and in the browser, which may show either address.
 */
export const usePagePath = (): string => splitLocale(usePathname()).path
