import { redirect } from 'next/navigation'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  redirect('/dashboard/settings#factor')
}

export default Page
