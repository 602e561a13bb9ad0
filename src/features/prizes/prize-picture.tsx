import type { WheelField } from '#contracts/http/spin.ts'
import type { DRAWINGS } from '#contracts/pictures.ts'
import { Drawing } from '@/lib/pictures/picture.tsx'

type Prize = Pick<WheelField, 'type' | 'amount'>
type PrizeDrawing = (typeof DRAWINGS)['prizes'][number]

const LARGE_FT = 500
const DRAWN: Readonly<Record<Exclude<WheelField['type'], 'money'>, PrizeDrawing>> = {
  nothing: 'none',
  coupon: 'coupon',
  reroll: 'respin',
  server: 'server-week',
}

/** The drawing of a prize; a larger sum of money is a larger pile. */
export const prizeDrawing = ({ type, amount }: Prize): PrizeDrawing =>
  type === 'money' ? (amount < LARGE_FT ? 'balance-200' : 'balance-500') : DRAWN[type]

/** The picture of a prize beside its words. */
export const PrizePicture = ({ prize, width }: { prize: Prize; width: number }) => (
  <Drawing group="prizes" name={prizeDrawing(prize)} width={width} className="prize-picture" />
)
