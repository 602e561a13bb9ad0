import { GUIDE_TOPICS } from './guides/topics.ts'
import { POST_COVERS } from './posts/posts.ts'

/** The drawings of services that the site brings: a banner and an icon each (`src/pictures`). */
export const SERVICE_DRAWINGS = ['minecraft', 'arma', 'csgo', 'conan', 'mta', 'fivem', 'vps', 'bot'] as const
export type ServiceDrawing = (typeof SERVICE_DRAWINGS)[number]

/** Groups of drawings -> their names. Each is at `/pictures/<group>/<name>.svg`. */
export const DRAWINGS = {
  banners: SERVICE_DRAWINGS,
  icons: SERVICE_DRAWINGS,
  tiers: ['essentials', 'maximus', 'ultimus'],
  prizes: ['balance-200', 'balance-500', 'coupon', 'none', 'respin', 'server-week'],
  empty: ['backups', 'files', 'invoices', 'nothing-found', 'servers', 'tickets'],
  guides: GUIDE_TOPICS,
  posts: POST_COVERS,
} as const
export type DrawingGroup = keyof typeof DRAWINGS

/** Width and height of each group's drawings in CSS pixels at their natural size. */
export const DRAWING_SIZES: Readonly<Record<DrawingGroup, { readonly width: number; readonly height: number }>> = {
  banners: { width: 1_200, height: 480 },
  icons: { width: 64, height: 64 },
  tiers: { width: 64, height: 64 },
  prizes: { width: 64, height: 64 },
  empty: { width: 320, height: 200 },
  guides: { width: 320, height: 200 },
  posts: { width: 1_200, height: 480 },
}

/** The address of a drawing on the site. */
export const drawingPath = <Group extends DrawingGroup>(group: Group, name: (typeof DRAWINGS)[Group][number]): string =>
  `/pictures/${group}/${name}.svg`
