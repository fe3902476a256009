import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { secret } from '../secret.ts'
import { httpUrl } from '../validators.ts'
import { settingsTopic } from '../settings/topics.ts'

/** The code quality server of the installation: a SonarQube. */
export const SonarSettings = z.strictObject({
  /** Without a trailing slash; empty: there is no server. */
  url: z
    .union([z.literal(''), httpUrl.refine((url) => !/[?#]/.test(url), 'url-format')])
    .transform((url) => url.replace(/\/+$/, '')),
  /** A user's token. Reads return a mask; saving the mask keeps it while the address is unchanged. */
  token: secret(
    z
      .string()
      .trim()
      .max(500, 'text-too-long')
      .regex(/^[\x21-\x7e]*$/, 'code-quality-token-format'),
  ).default(''),
})
export type SonarSettings = z.infer<typeof SonarSettings>

/** With the revision on which an edit is based. */
const Saved = SonarSettings.extend({ revision: z.number().int() })
export type SavedSonar = z.infer<typeof Saved>

export const sonarqubes = {
  get: endpoint({
    method: 'GET',
    path: '/api/sonarqubes',
    access: { system: 'system_setting_view' },
    summary: 'The code quality server; null where there is none',
    data: Saved.nullable(),
    topics: [settingsTopic],
  }),
  version: endpoint({
    method: 'GET',
    path: '/api/sonarqubes/version',
    access: { system: 'system_setting_view' },
    summary: 'The version that the code quality server says it has; null where there is no server',
    data: z.object({ version: z.string().nullable() }),
    topics: [settingsTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/sonarqubes',
    access: 'admin',
    audit: 'sonarqube.update',
    summary: 'Set the code quality server. It is tested first: its version, the token, and what the token may do',
    body: SonarSettings.extend({ revision: z.number().int().optional() }),
    data: Saved.nullable(),
    topics: [settingsTopic],
  }),
}
