/**
 * What the server lets somebody do in the sandbox's registry. A token is this document as JSON and the HMAC-SHA256 of that text under
 * the registry's key, both in base64url, with a dot between: whoever has the key makes and checks it, and nothing is stored.
 */
export interface RegistryToken {
  /** Whose it is, for people who look into one. */
  subject: string
  /** Epoch milliseconds. */
  expires: number
  access: RegistryRight[]
}

export interface RegistryRight {
  /** A repository, or all below a prefix that ends with a slash. */
  repository: string
  actions: RegistryAction[]
}

export type RegistryAction = 'pull' | 'push' | 'delete'

/** What the names of a team's repositories begin with in a registry that all teams share. */
export const teamPrefix = (teamId: number): string => `team-${teamId}/`
