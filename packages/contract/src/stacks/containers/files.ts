import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id, uuid } from '../../ids.ts'
import { listOf, listQuery } from '../../paging.ts'
import { dnsLabel } from '../../validators.ts'
import { filesTopic } from '../topics.ts'

const inContainer = z.strictObject({ teamId: id, envId: uuid, podId: uuid, name: dnsLabel() })
const on = (rest: string) => `/orchestration/api/:teamId/env/:envId/pod/:podId/container/:name/${rest}` as const

const hidden = /\p{Cc}/u
const parts = (path: string): string[] => path.split('/').slice(1)

/** An absolute path in a container, without `.` and `..` and without a trailing slash. */
export const ContainerPath = z
  .string()
  .max(4096, 'container-path-format')
  .refine((path) => path.startsWith('/') && !hidden.test(path), 'container-path-format')
  .refine(
    (path) => path === '/' || parts(path).every((part) => !['', '.', '..'].includes(part)),
    'container-path-format',
  )

const FilePath = ContainerPath.refine((path) => path !== '/', 'container-path-format')

export const FileEntry = z.object({
  name: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'device', 'other']),
  /** Bytes; for anything other than a file, the number that the container reports. */
  size: z.number(),
  /** As `ls` shows it, without the type: `rw-r--r--`. */
  mode: z.string(),
  changedAt: z.string(),
  /** The target of a link. */
  target: z.string(),
})
export type FileEntry = z.infer<typeof FileEntry>

/** The largest file that can be edited as text, in bytes. */
export const maxEdited = 1024 * 1024
/** The largest upload to a container, in bytes. */
export const maxUploaded = 2 * 1024 * 1024 * 1024

const view = { team: 'teamId', permission: 'stack_file_view' } as const
const edit = { team: 'teamId', permission: 'stack_file_edit' } as const

export const containerFiles = {
  list: endpoint({
    method: 'GET',
    path: on('files'),
    access: view,
    summary: 'The files in a folder of a running container, folders first; of 10,000 and more the first',
    params: inContainer,
    query: listQuery({ pageSize: 50 }).extend({ path: ContainerPath.default('/') }),
    data: listOf(FileEntry),
    topics: [filesTopic],
  }),
  read: endpoint({
    method: 'GET',
    path: on('files/text'),
    access: view,
    summary: 'A text file of a container, up to 1 MB, to edit',
    params: inContainer,
    query: z.strictObject({ path: FilePath }),
    data: z.object({ text: z.string(), revision: z.string() }),
    topics: [filesTopic],
  }),
  write: endpoint({
    method: 'PUT',
    path: on('files/text'),
    access: edit,
    audit: 'container.edit-file',
    summary: 'Put a text in the place of a file; 409 where the file is not as it was read',
    params: inContainer,
    query: z.strictObject({ path: FilePath }),
    body: z.strictObject({
      text: z.string().max(maxEdited, 'file-too-large-to-edit'),
      /** The revision that was read; empty for a new file. */
      revision: z.string().max(64),
    }),
    data: z.object({ revision: z.string() }),
    topics: [filesTopic],
  }),
  download: endpoint({
    method: 'GET',
    path: on('files/content'),
    access: view,
    audit: 'container.download-file',
    summary: 'A file of a container, or a folder of it as a tar archive',
    params: inContainer,
    query: z.strictObject({ path: ContainerPath }),
    stream: 'application/octet-stream',
    data: z.unknown(),
    topics: [],
  }),
  upload: endpoint({
    method: 'POST',
    path: on('files/content'),
    access: edit,
    audit: 'container.upload-file',
    summary: 'Upload a file into a container: it is there whole or not at all',
    params: inContainer,
    query: z.strictObject({ path: FilePath, overwrite: z.enum(['true', 'false']).default('false') }),
    upload: maxUploaded,
    data: z.object({ size: z.number() }),
    topics: [filesTopic],
  }),
}
