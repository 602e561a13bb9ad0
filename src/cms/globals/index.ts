import type { GlobalConfig } from 'payload'
import { Documents } from './documents.ts'
import { Invoicing } from './invoicing.ts'
import { Landing } from './landing.ts'
import { Navigation } from './navigation.ts'
import { Settings } from './settings.ts'

/** Every global, in the order of the admin's menu. */
export const globals: GlobalConfig[] = [Landing, Navigation, Documents, Settings, Invoicing]
