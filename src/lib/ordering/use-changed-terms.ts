'use client'
import { useState } from 'react'
import { changedTermsOf } from '../browser-client/failure.ts'

/**
 * The version of the terms that a purchase has to accept, once a request was refused because they changed. `keep` is called
 * with each request: the version stays after a lost response, because without it a repetition would be another request,
 * under another key.
 */
export const useChangedTerms = (failure: unknown) => {
  const [asked, setAsked] = useState<string>()
  const refused = changedTermsOf(failure)
  const changed = refused ?? asked
  return { changed, isRefused: refused !== undefined, keep: () => setAsked(changed) }
}
