import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { secret } from '../secret.ts'
import { httpUrl, line } from '../validators.ts'
import { settingsTopic } from '../settings/topics.ts'

/** From where builds of all teams get packages and to where they publish: a Nexus, an Artifactory, any with logins. */
export const ArtifactRepository = z.strictObject({
  /** Without a trailing slash; empty: there is no server. */
  url: z
    .union([z.literal(''), httpUrl.refine((url) => !/[?#@]/.test(url), 'url-format')])
    .transform((url) => url.replace(/\/+$/, '')),
  /** Empty: builds read without a login. */
  userName: line(200).default(''),
  /** Reads return a mask; saving the mask keeps it while address and user are unchanged. */
  password: secret(z.string().max(500, 'text-too-long')).default(''),
})
export type ArtifactRepository = z.infer<typeof ArtifactRepository>

/** With the revision on which an edit is based. */
const Saved = ArtifactRepository.extend({ revision: z.number().int() })
export type SavedArtifactRepository = z.infer<typeof Saved>

export const artifactRepository = {
  /** The specification has secrets encrypted in this answer; they are masked, as everywhere else. */
  get: endpoint({
    method: 'GET',
    path: '/api/artifactories/getArtifactoryByEncrypt',
    access: { system: 'system_setting_view' },
    summary: 'The artifact repository; null where there is none',
    data: Saved.nullable(),
    topics: [settingsTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/artifactories',
    access: 'admin',
    audit: 'artifact-repository.update',
    summary: 'Set the artifact repository. Its address and login are tested first',
    body: ArtifactRepository.extend({ revision: z.number().int().optional() }),
    data: Saved.nullable(),
    topics: [settingsTopic],
  }),
}
