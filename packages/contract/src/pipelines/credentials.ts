import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { secret } from '../secret.ts'
import { displayName, mask, text } from '../validators.ts'
import { pipelinesTopic } from './topics.ts'

const privateKeyPem = /^-----BEGIN [A-Z ]*PRIVATE KEY-----\r?\n[\s\S]+\n-----END [A-Z ]*PRIVATE KEY-----$/

/** A private key as `ssh-keygen` writes it, without a passphrase, because nobody could enter one. */
export const PrivateKey = secret(
  z
    .string()
    .trim()
    .max(16_384, 'private-key-format')
    .refine(
      (key) =>
        key === '' ||
        key === mask ||
        (privateKeyPem.test(key) && !key.includes('Proc-Type: 4,ENCRYPTED') && !key.includes('BEGIN ENCRYPTED')),
      'private-key-format',
    ),
)

/** The kind of a credential: a password or an access token for HTTPS, or a private key for SSH. */
export const CredentialKind = z.enum(['password', 'token', 'ssh'])
export type CredentialKind = z.infer<typeof CredentialKind>

/** A credential of a team: stored once, and selected by the repositories of its pipelines. */
export const Credential = z.object({
  id: z.number().int(),
  teamId: z.number().int(),
  name: z.string(),
  description: z.string(),
  kind: CredentialKind,
  /** The only host that receives it, with its port if that is not the default. */
  host: z.string(),
  username: z.string(),
  /** Always the mask. */
  secret: z.string(),
  /** The number of pipelines that use it. */
  pipelineNum: z.number().int(),
  revision: z.number().int(),
  updatedAt: z.string(),
})
export type Credential = z.infer<typeof Credential>

const body = z
  .strictObject({
    name: displayName(50),
    description: text(1000, 'description-too-long').default(''),
    kind: CredentialKind,
    host: z
      .string()
      .trim()
      .toLowerCase()
      .max(260, 'credential-host-format')
      .regex(/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/, 'credential-host-format'),
    username: z.string().trim().max(255).default(''),
    secret: secret(z.string().trim().min(1, 'credential-secret-required').max(16_384, 'private-key-format')),
  })
  .refine(({ kind, secret: given }) => kind !== 'ssh' || PrivateKey.safeParse(given).success, {
    message: 'private-key-format',
    path: ['secret'],
  })
  .refine(
    ({ kind, secret: given }) => kind === 'ssh' || given === mask || (given.length <= 4096 && !/[\r\n]/.test(given)),
    {
      message: 'credential-secret-format',
      path: ['secret'],
    },
  )
export type CredentialBody = z.output<typeof body>

const inTeam = z.strictObject({ teamId: id })
const one = inTeam.extend({ credentialId: id })
const operate = { team: 'teamId', permission: 'pipeline_credential_operate' }

export const credentials = {
  list: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/credentials',
    access: { team: 'teamId', permission: 'pipeline_pipeline_view' },
    summary: "A team's credentials for repositories; secrets are masked",
    params: inTeam,
    query: listQuery({ pageSize: 10 }),
    data: listOf(Credential),
    topics: [pipelinesTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/credentials/:credentialId',
    access: { team: 'teamId', permission: 'pipeline_pipeline_view' },
    summary: 'One credential; its secret is masked',
    params: one,
    data: Credential,
    topics: [pipelinesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/teams/:teamId/credentials',
    access: operate,
    audit: 'pipeline-credential.create',
    summary: 'Store a credential for repositories of one host',
    params: inTeam,
    body,
    data: Credential,
    topics: [pipelinesTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/teams/:teamId/credentials/:credentialId',
    access: operate,
    audit: 'pipeline-credential.update',
    summary:
      'Change a credential; a masked secret keeps its value while host and kind stay, and these stay while it is in use; refused when someone else saved since `revision`',
    params: one,
    query: z.strictObject({ revision: z.coerce.number().int().optional() }),
    body,
    data: Credential,
    topics: [pipelinesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/teams/:teamId/credentials/:credentialId',
    access: operate,
    audit: 'pipeline-credential.delete',
    summary: 'Delete a credential that no pipeline uses',
    params: one,
    data: z.null(),
    topics: [pipelinesTopic],
  }),
}
