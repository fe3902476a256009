import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { secret } from '../secret.ts'
import { httpUrl, line } from '../validators.ts'
import { settingsTopic } from '../settings/topics.ts'

/** Where builds of all teams get packages from and put them: a Nexus, an Artifactory, any server that takes a login. */
export const ArtifactRepository = z.strictObject({
  /** Without a trailing slash; empty: there is none. */
  url: z
    .union([z.literal(''), httpUrl.refine((url) => !/[?#@]/.test(url), 'url-format')])
    .transform((url) => url.replace(/\/+$/, '')),
  /** Empty: builds read it without a login. */
  userName: line(200).default(''),
  /** Reads return a mask; saving the mask keeps it while address and user are unchanged. */
  password: secret(z.string().max(500, 'text-too-long')).default(''),
})
export type ArtifactRepository = z.infer<typeof ArtifactRepository>

/** As read: with the number of the change that an edit is based on. */
const Saved = ArtifactRepository.extend({ revision: z.number().int() })
export type SavedArtifactRepository = z.infer<typeof Saved>

export const artifactRepository = {
  /** The specification has secrets encrypted here; they are masked, as everywhere. */
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
