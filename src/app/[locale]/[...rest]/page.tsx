import { notFound } from 'next/navigation'

// Rendered on demand and never stored: anyone can make up any number of addresses.
export const dynamic = 'force-dynamic'

const UnknownPage = () => notFound()

export default UnknownPage
