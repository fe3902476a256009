import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { dictionary, text } from '../validators.ts'
import { settingsTopic } from './topics.ts'

/** The signed content of a license: for whom it is, and until when. */
export const LicenseClaims = z.strictObject({
  holder: text(200).min(1),
  issuedAt: z.iso.datetime(),
  expiredAt: z.iso.datetime(),
  /** Displayed with the license, like the limits; neither restricts anything by itself. */
  notes: text(2000).default(''),
  limits: dictionary(z.string().min(1).max(60, 'text-too-long'), z.string().max(200, 'text-too-long'), 20).default({}),
})
export type LicenseClaims = z.infer<typeof LicenseClaims>

export const LicenseStatus = z.object({
  expired: z.boolean(),
  expiresInTenDays: z.boolean(),
  /** Null: there is no license, and none is needed. */
  expiredAt: z.string().nullable(),
  /** The message for every user, in the caller's language; empty if there is none. */
  message: z.string(),
})
export type LicenseStatus = z.infer<typeof LicenseStatus>

export const License = z.object({
  /** The id of the key whose licenses are valid here; empty: this installation accepts none. */
  issuer: z.string(),
  license: LicenseClaims.nullable(),
})
export type License = z.infer<typeof License>

export const license = {
  get: endpoint({
    method: 'GET',
    path: '/api/system/license',
    access: { system: 'system_setting_view' },
    summary: 'The license, and whose licenses count',
    data: License,
    topics: [settingsTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/system/license',
    access: 'admin',
    audit: 'license.update',
    summary: 'Set the license; empty removes it. What the issuer did not sign, or is not valid now, is refused',
    body: z.strictObject({
      /** A compact JWS from the issuer. */
      license: z.string().trim().max(8000, 'text-too-long'),
    }),
    data: License,
    topics: [settingsTopic],
  }),
  status: endpoint({
    method: 'GET',
    path: '/api/system/license/status',
    access: 'user',
    summary: 'Whether the license has expired, or does so within ten days',
    data: LicenseStatus,
    topics: [settingsTopic],
  }),
}
