import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Where images lie. Blobs once for all repositories; a repository holds marks of the blobs and manifests it may serve
 * and a file a tag. Nothing is visible before it is whole: every file is written aside, synced and renamed.
 *
 *     blobs/ab/abcd…                        content by its sha256
 *     repositories/team/app/_layers/abcd…   this repository has the blob
 *                          /_manifests/abcd…  … the manifest; the file holds its media type
 *                          /_tags/1.0         the digest that the tag names
 *                          /_uploads/<uuid>   what has come of a blob so far
 */
export interface Storage {
  root: string
}

export interface StoredManifest {
  digest: string
  mediaType: string
  content: Buffer
}

const namePattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/
export const isName = (name: string): boolean => name.length <= 255 && namePattern.test(name)
export const isTag = (tag: string): boolean => /^[A-Za-z0-9_][\w.-]{0,127}$/.test(tag)
export const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text)

const hexOf = (digest: string): string => digest.slice('sha256:'.length)
export const digestOf = (content: Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`

const repository = (storage: Storage, name: string): string => join(storage.root, 'repositories', name)
export const blobPath = (storage: Storage, digest: string): string =>
  join(storage.root, 'blobs', hexOf(digest).slice(0, 2), hexOf(digest))
export const uploadPath = (storage: Storage, name: string, upload: string): string =>
  join(repository(storage, name), '_uploads', upload)

/** Writes a file that is either missing or complete. */
function place(path: string, content: Buffer | string): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `.${randomUUID()}`)
  writeFileSync(temporary, content, { flush: true })
  renameSync(temporary, path)
}

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

const names = (path: string): string[] => {
  try {
    return readdirSync(path).filter((name) => !name.startsWith('.'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

export const hasBlob = (storage: Storage, name: string, digest: string): boolean =>
  existsSync(join(repository(storage, name), '_layers', hexOf(digest))) && existsSync(blobPath(storage, digest))

export const blobSize = (storage: Storage, digest: string): number => statSync(blobPath(storage, digest)).size

/** Lets a repository serve a blob that is stored already. */
export const linkBlob = (storage: Storage, name: string, digest: string): void =>
  place(join(repository(storage, name), '_layers', hexOf(digest)), '')

/** Takes over a complete upload whose content has been verified. */
export function adoptUpload(storage: Storage, name: string, upload: string, digest: string): void {
  const path = blobPath(storage, digest)
  const from = uploadPath(storage, name, upload)
  mkdirSync(dirname(path), { recursive: true })
  const fd = openSync(from, 'r')
  fsyncSync(fd)
  closeSync(fd)
  renameSync(from, path)
  linkBlob(storage, name, digest)
}

export const unlinkBlob = (storage: Storage, name: string, digest: string): void =>
  rmSync(join(repository(storage, name), '_layers', hexOf(digest)), { force: true })

export function readManifest(storage: Storage, name: string, reference: string): StoredManifest | undefined {
  if (!isName(name)) return undefined
  const folder = repository(storage, name)
  const digest = isDigest(reference)
    ? reference
    : isTag(reference)
      ? readText(join(folder, '_tags', reference))
      : undefined
  if (digest === undefined) return undefined
  const mediaType = readText(join(folder, '_manifests', hexOf(digest)))
  return mediaType === undefined ? undefined : { digest, mediaType, content: readFileSync(blobPath(storage, digest)) }
}

export function putManifest(storage: Storage, name: string, manifest: StoredManifest, tag: string | undefined): void {
  const folder = repository(storage, name)
  place(blobPath(storage, manifest.digest), manifest.content)
  place(join(folder, '_manifests', hexOf(manifest.digest)), manifest.mediaType)
  if (tag !== undefined) place(join(folder, '_tags', tag), manifest.digest)
}

/** Deletes a manifest and its tags. */
export function deleteManifest(storage: Storage, name: string, digest: string): void {
  const folder = repository(storage, name)
  for (const tag of names(join(folder, '_tags')))
    if (readText(join(folder, '_tags', tag)) === digest) rmSync(join(folder, '_tags', tag), { force: true })
  rmSync(join(folder, '_manifests', hexOf(digest)), { force: true })
}

export const hasTag = (storage: Storage, name: string, tag: string): boolean =>
  existsSync(join(repository(storage, name), '_tags', tag))
export const deleteTag = (storage: Storage, name: string, tag: string): void =>
  rmSync(join(repository(storage, name), '_tags', tag), { force: true })

export const hasRepository = (storage: Storage, name: string): boolean =>
  existsSync(join(repository(storage, name), '_manifests'))

/** The digests in a repository, and when each was pushed. */
export const listManifests = (storage: Storage, name: string): { digest: string; pushed: Date }[] => {
  const folder = join(repository(storage, name), '_manifests')
  return names(folder).map((hex) => ({ digest: `sha256:${hex}`, pushed: statSync(join(folder, hex)).mtime }))
}

/** Deletes a repository's images and tags; repositories nested in it stay. */
export function deleteRepository(storage: Storage, name: string): void {
  for (const part of ['_tags', '_manifests', '_layers', '_uploads'])
    rmSync(join(repository(storage, name), part), { recursive: true, force: true })
}

export const readBlob = (storage: Storage, digest: string): Buffer => readFileSync(blobPath(storage, digest))

export const listTags = (storage: Storage, name: string): string[] =>
  names(join(repository(storage, name), '_tags')).sort()

export function listRepositories(storage: Storage): string[] {
  const found: string[] = []
  const walk = (name: string): void => {
    for (const entry of names(repository(storage, name)))
      if (entry === '_manifests') found.push(name)
      else if (!entry.startsWith('_')) walk(name === '' ? entry : `${name}/${entry}`)
  }
  walk('')
  return found.sort()
}

const day = 24 * 3600 * 1000

/** Removes blobs without a repository and abandoned uploads. Only while nothing is being pushed. */
export function sweep(storage: Storage, now: number): void {
  const referenced = new Set<string>()
  const walk = (folder: string): void => {
    for (const entry of names(folder)) {
      const path = join(folder, entry)
      if (entry === '_layers' || entry === '_manifests') for (const hex of names(path)) referenced.add(hex)
      else if (entry === '_uploads') {
        for (const upload of names(path))
          if (statSync(join(path, upload)).mtimeMs < now - day) rmSync(join(path, upload), { force: true })
      } else if (entry !== '_tags') walk(path)
    }
  }
  walk(join(storage.root, 'repositories'))
  for (const prefix of names(join(storage.root, 'blobs')))
    for (const hex of names(join(storage.root, 'blobs', prefix)))
      if (!referenced.has(basename(hex))) rmSync(join(storage.root, 'blobs', prefix, hex), { force: true })
}
