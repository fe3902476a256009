import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { httpUrl } from '../validators.ts'
import { settingsTopic } from './topics.ts'
import { madeOn, Revision } from '../revision.ts'

/** The public address of the product: in links of mails, webhooks and the provider's redirects. */
export const HostSettings = z.strictObject({
  /** Without a trailing slash; empty: GANTRY_PUBLIC_URL, or the address that it listens on. */
  publicUrl: z
    .union([z.literal(''), httpUrl])
    .transform((url) => url.replace(/\/+$/, ''))
    .default(''),
  /** A notice above the login form; empty: none. */
  notice: z.string().trim().max(500, 'text-too-long').default(''),
})
export type HostSettings = z.infer<typeof HostSettings>

export const host = {
  get: endpoint({
    method: 'GET',
    path: '/api/system/host',
    access: { system: 'system_setting_view' },
    summary: 'Host settings, and the address that is in force',
    data: HostSettings.extend({ effectiveUrl: z.string(), revision: Revision }),
    topics: [settingsTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/system/host',
    access: 'admin',
    audit: 'host.update',
    summary: 'Set host settings',
    body: HostSettings.extend(madeOn),
    data: HostSettings,
    topics: [settingsTopic],
  }),
  checkUrl: endpoint({
    method: 'POST',
    path: '/resource-manager/api/system/checkUrl',
    access: 'admin',
    audit: 'host.check-url',
    summary: 'Whether a URL answers, as the server sees it',
    body: z.strictObject({ url: httpUrl }),
    data: z.object({ reachable: z.boolean(), status: z.number().int().nullable() }),
    topics: [],
  }),
}
