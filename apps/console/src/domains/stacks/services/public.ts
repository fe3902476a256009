/** What a list of what waits needs of services, without all that the screens of stacks consist of. */
export { useServiceDecision } from './use-service-decision.ts'
