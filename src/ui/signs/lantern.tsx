/** The watchman's lantern of the logo. It is lit while its link is up. */
export const Lantern = ({ lit = true, height = 26 }: { lit?: boolean; height?: number }) => (
  <svg viewBox="0 0 22 26" height={height} width={Math.round((height * 22) / 26)} aria-hidden="true">
    <path d="M6 6a5 5 0 0 1 10 0" fill="none" stroke="currentColor" strokeWidth="2" />
    <rect x="3" y="7" width="16" height="17" rx="3" fill="none" stroke="currentColor" strokeWidth="2" />
    {lit ? (
      <circle cx="11" cy="15.5" r="4.5" className="fill-go" />
    ) : (
      <circle cx="11" cy="15.5" r="4" fill="none" className="stroke-stop-ring" strokeWidth="1.5" />
    )}
  </svg>
)
