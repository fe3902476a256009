/**
 * Topics of the push channel. A message says that something changed and carries what a list needs to follow it; the truth is always a
 * read away.
 */
export const topics = {
  /** A build moved on, of any pipeline of the team: {pipelineId, number, state}. */
  builds: (teamId: number) => `builds/${teamId}`,
  /** One build: {state} | {step, stepState} | {step, lines}. */
  build: (pipelineId: number, number: number) => `build/${pipelineId}/${number}`,
  /** Stacks and services of a team: {stackId, serviceId?, state}. */
  stacks: (teamId: number) => `stacks/${teamId}`,
  /** One service's pods: {serviceId, ready, replicas, state}. */
  service: (serviceId: number) => `service/${serviceId}`,
  /**
   * Pods of a team in a cluster, and with 'all' of everybody: {pod: Pod} | {gone: uid} | {many: n}: too many to tell one by one, or
   * how current they are has changed: read again.
   */
  pods: (environment: string, scope: number | 'all') => `pods/${environment}/${scope}`,
  /** Hosts of a cluster: {host: name}; a drain's progress too; {many: n} as for pods. */
  hosts: (environment: string) => `hosts/${environment}`,
  /** A cluster was added or changed, or how it is: {changed: 'environments'}. Which one is not said: everybody may follow it. */
  environments: () => 'environments',
  /** A team itself: {changed: 'team' | 'members' | 'roles'}. */
  team: (teamId: number) => `team/${teamId}`,
  /** The list of all users: {changed: 'users'}. */
  users: () => 'users',
  /** The list of all teams: {changed: 'teams'}. */
  teams: () => 'teams',
  /** What is addressed to one user: {userID, success, msg}, as specified; {changed: 'rights'} when their teams or roles did. */
  user: (userId: number) => `user/${userId}`,
}
