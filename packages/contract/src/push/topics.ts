/** Whose things of a cluster a topic tells: a team's, by its id, or everybody's. */
export type ClusterScope = number | 'all'

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
   * What clusters tell, as follows. Beside what is named here each says {many: n}, n changes that were too many to tell one by one, and
   * {many: 0}, how current the list is has changed: read again. A scope is a team, of which only its namespaces are told, or 'all'.
   *
   * Pods: {pod: Pod} | {gone: uid}.
   */
  pods: (environment: string, scope: ClusterScope) => `pods/${environment}/${scope}`,
  /** Something happened: {event: {type, namespace, kind}}, by which a list of events narrows. */
  events: (environment: string, scope: ClusterScope) => `events/${environment}/${scope}`,
  /**
   * Volumes, for a team those that it claims and the free ones: {volume: name} changed, came or went; {claimsIn: namespace}, claims there
   * got or lost a pod.
   */
  volumes: (environment: string, scope: ClusterScope) => `volumes/${environment}/${scope}`,
  /** Something happened to one service's objects: {serviceId}. */
  serviceEvents: (serviceId: number) => `service-events/${serviceId}`,
  /** Hosts of a cluster: {host: name}; a drain's progress too. */
  hosts: (environment: string) => `hosts/${environment}`,
  /** Something happened to a host: {host: name}. */
  hostEvents: (environment: string) => `host-events/${environment}`,
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
