import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { secret } from '../secret.ts'
import { httpUrl, line } from '../validators.ts'
import { settingsTopic } from '../settings/topics.ts'

/** The TAPD whose stories, bugs and tasks builds name, and to which they report success. */
export const TapdConfig = z.strictObject({
  enabled: z.boolean(),
  /** The address of the open API, without a trailing slash. */
  url: httpUrl.refine((url) => !/[?#@]/.test(url), 'url-format').transform((url) => url.replace(/\/+$/, '')),
  /** The account of the open API; each company has its own. */
  user: line(200)
    .min(1, 'tapd-user-required')
    .regex(/^[^:]*$/, 'tapd-user-required'),
  /** Reads return a mask; saving the mask keeps it while address and account are unchanged. */
  password: secret(z.string().trim().min(1, 'tapd-password-required').max(500, 'text-too-long')),
  /** The ids of the workspaces whose items are used. */
  workspaces: z
    .array(
      z
        .string()
        .max(12, 'tapd-workspace-format')
        .regex(/^[1-9]\d{4,11}$/, 'tapd-workspace-format'),
    )
    .min(1, 'tapd-workspace-required')
    .max(50, 'list-too-long'),
  /** Whether a successful build is reported to its items in a comment. */
  comment: z.boolean().default(true),
  /** The statuses for such items, by code or name: the first that the item's kind has. Empty: none. */
  status: line(120).default(''),
})
export type TapdConfig = z.infer<typeof TapdConfig>

/** With the revision on which an edit is based. */
export const SavedTapd = TapdConfig.extend({ revision: z.number().int() })
export type SavedTapd = z.infer<typeof SavedTapd>

const path = '/api/tapd/config'

export const tapd = {
  get: endpoint({
    method: 'GET',
    path,
    access: { system: 'system_setting_view' },
    summary: 'The connection to TAPD; null where there never was one',
    data: SavedTapd.nullable(),
    topics: [settingsTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path,
    access: 'admin',
    audit: 'tapd.update',
    summary: 'Set the connection to TAPD. Where it is enabled, its login and workspaces are tried first',
    body: TapdConfig.extend({ revision: z.number().int().optional() }),
    data: SavedTapd,
    topics: [settingsTopic],
  }),
}
