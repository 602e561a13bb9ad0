import { tellNavigation } from './lib/navigation/navigation-start.ts'

/** The framework calls this by name at the start of each navigation within the site. */
export const onRouterTransitionStart = (url: string): void => tellNavigation(url)
