/** For the list of pending decisions, without loading the screens of stacks. */
export { useServiceDecision } from './use-service-decision.ts'
