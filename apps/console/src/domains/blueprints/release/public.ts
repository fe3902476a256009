/** For the list of pending decisions, without loading the screens of blueprints. */
export { useReleaseDecision } from './use-release-decision.ts'
