import type { ReactNode } from 'react'

/** A short hint on hover and focus. It repeats what the control already says to readers, so it is hidden from them. */
export const Tooltip = ({ text, children }: { text: ReactNode; children: ReactNode }) => (
  <span className="tip-host">
    {children}
    <span className="tip" aria-hidden="true">
      {text}
    </span>
  </span>
)
