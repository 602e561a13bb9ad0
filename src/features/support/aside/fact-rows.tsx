/** A name and its value. */
export type Fact = readonly [name: string, value: string]

/** Facts beside a ticket: a name and a value in each row. */
export const FactRows = ({ rows }: { rows: readonly Fact[] }) => (
  <dl className="tk-kv">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
