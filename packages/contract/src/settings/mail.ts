import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { line, mailAddress, port } from '../validators.ts'
import { secret } from '../secret.ts'
import { settingsTopic } from './topics.ts'
import { madeOn, Revision } from '../revision.ts'

const shape = {
  enabled: z.boolean(),
  host: z
    .string()
    .trim()
    .min(1, 'mail-host')
    .max(253, 'mail-host')
    .regex(/^[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?$/, 'mail-host'),
  port,
  /** none: unencrypted; starttls: switches to TLS before anything else is sent, or fails; tls: from the first byte. */
  security: z.enum(['none', 'starttls', 'tls']),
  userName: z.string().max(200, 'text-too-long').default(''),
  /** Reads return a mask; saving the mask keeps it while host, port and user name are unchanged. */
  password: secret(z.string().max(500, 'text-too-long')).default(''),
  /** The sender's address and name. */
  from: mailAddress,
  fromName: line(60)
    .refine((name) => !/[<>"]/.test(name), 'text-hidden-characters')
    .default(''),
  /** The language of mails to users who have not chosen one. */
  lang: z.enum(['en', 'zh']).default('en'),
}

export const MailSettings = z.strictObject(shape)
export type MailSettings = z.infer<typeof MailSettings>

/** With the revision on which an edit is based. */
const Saved = MailSettings.extend({ revision: Revision })
export type SavedMail = z.infer<typeof Saved>

export const mail = {
  get: endpoint({
    method: 'GET',
    path: '/api/system/mail',
    access: { system: 'system_setting_view' },
    summary: 'Mail settings; null where they were never set',
    data: Saved.nullable(),
    topics: [settingsTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/system/mail',
    access: 'admin',
    audit: 'mail.update',
    summary: 'Set mail settings',
    body: MailSettings.extend(madeOn),
    data: Saved,
    topics: [settingsTopic],
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/system/mailserver/test',
    access: 'admin',
    audit: 'mail.test',
    summary: 'Send a test mail with the settings given, without saving them',
    query: z.strictObject({ mail: mailAddress }),
    body: MailSettings.extend(madeOn),
    data: z.null(),
    topics: [],
  }),
  /** Not in the specification: mails that wait to be sent, and failed ones. */
  outbox: endpoint({
    method: 'GET',
    path: '/api/system/mail/outbox',
    access: { system: 'system_setting_view' },
    summary: 'The last 50 mails: sent, waiting with the reason of the last failure, given up after 24 hours',
    data: z.array(
      z.object({
        id: z.number().int(),
        to: z.string(),
        subject: z.string(),
        state: z.enum(['waiting', 'sent', 'failed']),
        attempts: z.number().int(),
        problem: z.string(),
        createdAt: z.string(),
      }),
    ),
  }),
}
