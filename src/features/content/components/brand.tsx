import { Lantern } from '@/ui/signs/lantern.tsx'

/** The logo as a link to the home page. */
export const Brand = ({ name, label, href = '/' }: { name: string; label?: string; href?: string }) => (
  <a className="sbrand" href={href} {...(label ? { 'aria-label': label } : {})}>
    <Lantern />
    <span>{name}</span>
  </a>
)
