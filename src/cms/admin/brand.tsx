import { Lantern } from '@/ui/signs/lantern.tsx'

/** The small mark in the admin's path. */
export const Icon = () => (
  <span className="bakter-mark">
    <Lantern height={22} />
  </span>
)

/** The mark with the name. */
export const Logo = () => (
  <span className="bakter-mark bakter-mark-large">
    <Lantern height={36} />
    <span>Bakter</span>
  </span>
)
