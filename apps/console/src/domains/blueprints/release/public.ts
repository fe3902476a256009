/** What a list of what waits needs of releases, without all that the screens of blueprints consist of. */
export { useReleaseDecision } from './use-release-decision.ts'
