import type { ComponentType } from 'react'
import { FactorSection, PasskeysSection } from '../security/factor-panels.tsx'
import { DataPanel } from './data-panel.tsx'
import { DeletionPanel } from './deletion-panel.tsx'
import { DiscordPanel } from './discord-panel.tsx'
import { EmailPanel } from './email-panel.tsx'
import { ExportPanel } from './export-panel.tsx'
import { NotificationsPanel } from './notifications-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { PicturePanel } from './picture-panel.tsx'
import { RegionPanel } from './region-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

/** The sections of the settings page in their order. `id` is the anchor, and the key of the title under `settings.sections`. */
export const SECTIONS = [
  { id: 'profile', Section: PicturePanel },
  { id: 'data', Section: DataPanel },
  { id: 'region', Section: RegionPanel },
  { id: 'password', Section: PasswordPanel },
  { id: 'email', Section: EmailPanel },
  { id: 'factor', Section: FactorSection },
  { id: 'passkeys', Section: PasskeysSection },
  { id: 'notifications', Section: NotificationsPanel },
  { id: 'sessions', Section: SessionsPanel },
  { id: 'discord', Section: DiscordPanel },
  { id: 'export', Section: ExportPanel },
  { id: 'deletion', Section: DeletionPanel },
] as const satisfies readonly { id: string; Section: ComponentType }[]
