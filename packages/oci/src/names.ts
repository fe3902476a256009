import { createHash } from 'node:crypto'

const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const repositoryPattern = new RegExp(`^${component}(?:/${component})*$`)
const tagPattern = /^\w[\w.-]{0,127}$/
const digestPattern = /^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/

export const isRepository = (text: string): boolean => text.length <= 255 && repositoryPattern.test(text)
export const isTag = (text: string): boolean => tagPattern.test(text)
export const isDigest = (text: string): boolean => digestPattern.test(text)

export const digestOf = (content: Buffer | string): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`

/** An image within one registry: `repository[:tag][@digest]`. */
export interface ImageName {
  repository: string
  tag?: string
  digest?: string
}

/** Undefined if it is not a valid name. */
export function parseImageName(text: string): ImageName | undefined {
  const [named = '', digest, ...more] = text.split('@')
  const colon = named.lastIndexOf(':')
  const repository = colon === -1 ? named : named.slice(0, colon)
  const tag = colon === -1 ? undefined : named.slice(colon + 1)
  if (!isRepository(repository) || more.length > 0) return undefined
  if ((tag !== undefined && !isTag(tag)) || (digest !== undefined && !isDigest(digest))) return undefined
  return { repository, ...(tag !== undefined && { tag }), ...(digest !== undefined && { digest }) }
}
