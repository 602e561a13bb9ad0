import { getTranslations } from 'next-intl/server'
import { ButtonLink } from '@/ui/controls/button.tsx'
import type { LandingView } from '../landing-view.ts'
import { sectionIds, trialHref } from '../site-links.ts'
import { Section } from './section.tsx'

/** Partners are plates of unpainted metal. Without any the section is omitted. */
export const Partners = async ({ landing }: { landing: LandingView }) => {
  if (landing.partners.length === 0) return null
  const [words, site] = await Promise.all([getTranslations('landing'), getTranslations('site')])
  return (
    <Section id={sectionIds.partners} station={site('partners')} title={words('partnersTitle')}>
      <ul className="refs">
        {landing.partners.map((partner) => (
          <li key={partner.id}>
            <b>
              {partner.url ? (
                <a href={partner.url} rel="noopener">
                  {partner.name}
                </a>
              ) : (
                partner.name
              )}
            </b>
            <span>{partner.description}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export const Questions = async ({ landing }: { landing: LandingView }) => {
  const [words, site] = await Promise.all([getTranslations('landing'), getTranslations('site')])
  return (
    <Section id={sectionIds.faq} station={site('faq')} title={words('faqTitle')}>
      {landing.faq.length === 0 ? (
        <p className="lead">{words('faqEmpty')}</p>
      ) : (
        <div className="faq">
          {landing.faq.map((entry, place) => (
            <details key={entry.id} open={place === 0}>
              <summary>
                <i className="halt" />
                {entry.question}
              </summary>
              <p>{entry.answer}</p>
            </details>
          ))}
        </div>
      )}
    </Section>
  )
}

/** The end of the line: register, or try it first. */
export const Terminus = async () => {
  const [words, site] = await Promise.all([getTranslations('landing'), getTranslations('site')])
  return (
    <section className="sec sec--end" aria-labelledby="h-end">
      <p className="station">
        <i className="halt" />
        {words('endStation')}
      </p>
      <div>
        <div className="sec__head">
          <h2 className="h1" id="h-end">
            {words('endTitle')}
          </h2>
          <p className="lead">{words('endText')}</p>
        </div>
        <div className="btns">
          <ButtonLink look="primary" size="l" href="/auth/register">
            {site('register')}
          </ButtonLink>
          <ButtonLink size="l" href={trialHref}>
            {words('endTrial')}
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
