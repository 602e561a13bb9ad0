import type { GlobalConfig } from 'payload'
import { Documents } from './documents.ts'
import { Invoicing } from './invoicing.ts'
import { Landing } from './landing.ts'
import { Navigation } from './navigation.ts'
import { Premium } from './premium.ts'
import { PrizeWheel } from './prize-wheel.ts'
import { Settings } from './settings.ts'

/** Every global, in the order of the admin's menu. */
export const globals: GlobalConfig[] = [Landing, Navigation, Documents, Premium, PrizeWheel, Settings, Invoicing]
