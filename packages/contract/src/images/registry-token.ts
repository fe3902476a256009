/**
 * What the server permits somebody in the sandbox's registry. A token is this document as JSON and the HMAC-SHA256 of
 * that text with the registry's key, both in base64url, joined by a dot: whoever has the key issues and verifies it,
 * and nothing is stored.
 */
export interface RegistryToken {
  /** The holder, for people who read one. */
  subject: string
  /** Epoch milliseconds. */
  expires: number
  access: RegistryRight[]
}

export interface RegistryRight {
  /** A repository, all below a prefix that ends with a slash, or every repository. */
  repository: string
  actions: RegistryAction[]
}

/** No repository has this name: a right to it is one to all. */
export const everyRepository = '*'

export type RegistryAction = 'pull' | 'push' | 'delete'

/** The prefix of a team's repository names in a registry that all teams share. */
export const teamPrefix = (teamId: number): string => `team-${teamId}/`
