import { z } from 'zod'

/* Repositories and tags are stored in their registry only, so their ids encode their names: base64url of
   `<registry>/<repository>` and of `<registry>/<repository>:<tag>`. Decoding an id grants no access. */

const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'

/** The name of a repository: at most 255 characters, in lower case. */
export const RepositoryName = z
  .string()
  .max(255, { error: 'image-repository-invalid', abort: true })
  .regex(new RegExp(`^${component}(?:/${component})*$`), 'image-repository-invalid')
export const TagName = z
  .string()
  .max(128, { error: 'images-tag-invalid', abort: true })
  .regex(/^\w[\w.-]*$/, 'images-tag-invalid')
export const Digest = z
  .string()
  .max(135, { error: 'images-digest-invalid', abort: true })
  .regex(/^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/, 'images-digest-invalid')

const isRepository = (text: string): boolean => RepositoryName.safeParse(text).success
const isTag = (text: string): boolean => TagName.safeParse(text).success

export interface RepositoryKey {
  registryId: number
  repository: string
}

export interface TagKey extends RepositoryKey {
  tag: string
}

const encode = (text: string): string => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Empty if `encode` would not produce this id: one spelling per object. */
function decode(id: string): string {
  try {
    const text = atob(id.replaceAll('-', '+').replaceAll('_', '/'))
    return encode(text) === id ? text : ''
  } catch {
    return ''
  }
}

export const repoIdOf = ({ registryId, repository }: RepositoryKey): string => encode(`${registryId}/${repository}`)
export const tagIdOf = ({ registryId, repository, tag }: TagKey): string => encode(`${registryId}/${repository}:${tag}`)

function parse(id: string) {
  const [, registry = '', repository = '', tag] = /^([1-9]\d{0,9})\/([^:]+)(?::(.+))?$/.exec(decode(id)) ?? []
  const registryId = Number(registry)
  if (registryId < 1 || registryId > 2_147_483_647 || !isRepository(repository)) return undefined
  return { registryId, repository, tag }
}

/** Undefined if it is not the id of a repository. */
export function repositoryOfId(id: string): RepositoryKey | undefined {
  const { tag, ...key } = parse(id) ?? { registryId: 0, repository: '', tag: '' }
  return tag === undefined ? key : undefined
}

/** Undefined if it is not the id of a tag. */
export function tagOfId(id: string): TagKey | undefined {
  const { tag = '', ...key } = parse(id) ?? { registryId: 0, repository: '' }
  return isTag(tag) ? { ...key, tag } : undefined
}

const opaque = z.string().max(600, { error: 'id-invalid', abort: true })
export const RepoId = opaque.refine((id) => repositoryOfId(id) !== undefined, 'id-invalid')
export const TagId = opaque.refine((id) => tagOfId(id) !== undefined, 'id-invalid')
