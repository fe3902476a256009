/**
 * The rights of a holder in the sandbox's registry. A token is this document as JSON and the HMAC-SHA256 of that text
 * with the registry's key, both in base64url, joined by a dot: anyone with the key can issue and verify it, and nothing
 * is stored.
 */
export interface RegistryToken {
  /** The holder's name, for people who read a token. */
  subject: string
  /** Epoch milliseconds. */
  expires: number
  access: RegistryRight[]
}

export interface RegistryRight {
  /** A repository; all repositories below a prefix that ends with a slash; or every repository. */
  repository: string
  actions: RegistryAction[]
}

/** Not a valid repository name: it stands for all of them. */
export const everyRepository = '*'

export type RegistryAction = 'pull' | 'push' | 'delete'

/** The prefix of a team's repository names in a registry that all teams share. */
export const teamPrefix = (teamId: number): string => `team-${teamId}/`
