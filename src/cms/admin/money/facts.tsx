import type { ReactNode } from 'react'

export type Fact = readonly [head: string, value: ReactNode]

/** The facts about one thing, each under its name. */
export const Facts = ({ lines }: { readonly lines: readonly Fact[] }) => (
  <dl className="bakter-facts">
    {lines.map(([head, value]) => (
      <div key={head}>
        <dt>{head}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
