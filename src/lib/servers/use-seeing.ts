'use client'
import { useSyncExternalStore } from 'react'
import { seeing } from '@/lib/seeing/seeing.ts'
import type { Seeing } from '@/lib/seeing/seeing.ts'

/** As whom this tab looks at the panel; null for the reader themselves. */
export const useSeeing = (): Seeing | null => useSyncExternalStore(seeing.subscribe, seeing.get, () => null)
