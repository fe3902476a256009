import { z } from 'zod'
import { httpUrl } from '../validators.ts'

/** The software that hosts a repository and reports its events. */
export const Forge = z.enum(['gitea', 'github', 'gitlab'])
export type Forge = z.infer<typeof Forge>

/** The address of a repository over SSH. */
export interface SshAddress {
  user: string
  /** Without the brackets of an IPv6 address. */
  host: string
  port: number
}

const user = '(?<user>[A-Za-z0-9_][A-Za-z0-9_.-]{0,63})'
const host = '(?<host>\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)'
/** Characters that neither a shell nor an option parser interprets. */
const path = '[\\p{L}\\p{N}_./~+@=,:-]*[\\p{L}\\p{N}_/]'
const asUrl = new RegExp(`^ssh://(?:${user}@)?${host}(?::(?<port>\\d{1,5}))?/${path}$`, 'u')
const asCopy = new RegExp(`^${user}@${host}:(?![-:])${path}$`, 'u')

/** Reads `ssh://user@host:port/path` and `user@host:path`; undefined for anything else. */
export function readSshUrl(text: string): SshAddress | undefined {
  const found = (asUrl.exec(text) ?? asCopy.exec(text))?.groups
  const port = Number(found?.['port'] ?? 22)
  if (!found?.['host'] || port < 1 || port > 65_535) return undefined
  return { user: found['user'] ?? 'git', host: found['host'].replace(/^\[(.*)\]$/, '$1').toLowerCase(), port }
}

/** The host that gets a repository's credentials, with its port; undefined for an invalid address. */
export function repositoryHost(url: string): string | undefined {
  const ssh = readSshUrl(url)
  if (!ssh) return URL.parse(url)?.host || undefined
  const name = ssh.host.includes(':') ? `[${ssh.host}]` : ssh.host
  return ssh.port === 22 ? name : `${name}:${ssh.port}`
}

/** `Shop` for `https://git.example.org/team/Shop.git`; empty for an invalid address. */
export const repositoryName = (url: string): string => /([^/:]+?)(\.git)?\/*$/.exec(url.trim())?.[1] ?? ''

/** Whether a repository's address uses HTTP, as the API of its forge does. */
export const isHttpUrl = (url: string): boolean => /^https?:/i.test(url)

/** http, https or SSH, the latter also as `user@host:path`. Without credentials, which have their own fields. */
export const repositoryUrl = z
  .string()
  .trim()
  .max(2000, 'repository-url-format')
  .refine((text) => readSshUrl(text) !== undefined || httpUrl.safeParse(text).success, 'repository-url-format')
