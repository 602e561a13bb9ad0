import clsx from 'clsx'

// The few icons of the public pages, as paths, so that they load no icon library.
const paths = {
  forward: 'M4 12h15M13 6l6 6-6 6',
  back: 'M20 12H5M11 6l-6 6 6 6',
  down: 'm6 9 6 6 6-6',
  menu: 'M3 8h18M3 16h18',
  close: 'm5 5 14 14M19 5 5 19',
  check: 'm4.5 12.75 5.25 5.25L19.5 6.75',
  external: 'M15 3h6v6M10 14 21 3M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  more: 'M12 5v.01M12 12v.01M12 19v.01',
  search: 'm21 21-4.3-4.3M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0',
} as const
export type IconName = keyof typeof paths

/** A drawn icon beside a word; always hidden from assistive technology. */
export const Icon = ({ name, size = 18, className }: { name: IconName; size?: number; className?: string }) => (
  <svg
    viewBox="0 0 24 24"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="square"
    aria-hidden="true"
    className={clsx('icon', className)}
  >
    <path d={paths[name]} />
  </svg>
)
