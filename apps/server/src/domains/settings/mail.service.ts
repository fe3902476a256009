import { MailSettings, type SavedMail } from '@gantry/contract/settings/mail'
import { mask } from '@gantry/contract/validators'
import { z } from 'zod'
import { findSetting, lockSetting, writeSetting } from '../../db/setting.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { keepSecret, open, maskSealed } from '../../kernel/secrets/secrets.ts'
import { publicUrl } from './host.service.ts'
import { letter } from './letter.ts'
import { mustBeMadeOn, revisionOf } from '../../db/revision.ts'

/** `password` is encrypted; null if there is none. */
const Stored = z.object({ ...MailSettings.shape, password: z.string().nullable() })
export type StoredMail = z.infer<typeof Stored>

export const storedMail = (ctx: Pick<Ctx, 'db'>): Promise<StoredMail | undefined> => findSetting(ctx.db, 'mail', Stored)

/** Whether mails are enabled. */
export const mailsAreSent = async (ctx: Pick<Ctx, 'db'>): Promise<boolean> => (await storedMail(ctx))?.enabled === true

const visible = (stored: StoredMail): SavedMail => ({
  ...stored,
  password: maskSealed(stored.password),
  revision: revisionOf(stored),
})

export async function readMail(ctx: Ctx): Promise<SavedMail | null> {
  const stored = await storedMail(ctx)
  return stored ? visible(stored) : null
}

/** A stored credential is never sent to another server, nor for another user there. */
const sameServer = (a: MailSettings, b: StoredMail): boolean =>
  a.host.toLowerCase() === b.host.toLowerCase() && a.port === b.port && a.userName === b.userName

function keptPassword(ctx: Ctx, given: MailSettings, stored: StoredMail | undefined): string | null {
  const same = stored !== undefined && sameServer(given, stored)
  if (given.password === mask && !same) throw new Fault('invalid', 'mail-password-again')
  return keepSecret(ctx, given.password, stored?.password ?? null, same)
}

const serverOf = ({ host, port }: Pick<MailSettings, 'host' | 'port'>): string => `${host}:${port}`

export const writeMail = (
  ctx: Ctx,
  { revision, ...given }: MailSettings & { revision?: string | undefined },
): Promise<SavedMail> =>
  inTx(ctx, async (ctx) => {
    const before = await lockSetting(ctx.db, 'mail', Stored)
    mustBeMadeOn(before ? revisionOf(before) : '', revision)
    note(ctx, { object: serverOf(given), before: before ? visible(before) : null, after: given })
    const stored = { ...given, password: keptPassword(ctx, given, before) }
    await writeSetting(ctx.db, 'mail', stored)
    return visible(stored)
  })

/** The settings with the decrypted password, only for the adapter. */
export const opened = (ctx: Ctx, stored: StoredMail): MailSettings => ({
  ...stored,
  password: stored.password === null ? '' : open(ctx, stored.password),
})

/** Uses the settings as entered in the form, saved or not. The administrator waits for the result. */
export async function sendTest(ctx: Ctx, to: string, given: MailSettings): Promise<null> {
  note(ctx, { object: `${serverOf(given)} → ${to}` })
  const settings = opened(ctx, { ...given, password: keptPassword(ctx, given, await storedMail(ctx)) })
  const { subject, text, html } = letter('test', ctx.lang, {
    product: ctx.config.product.name,
    name: to,
    user: ctx.actor.name,
    link: await publicUrl(ctx),
  })
  await ctx.ports.mail.send(
    settings,
    {
      from: { name: settings.fromName, address: settings.from },
      to,
      subject,
      text,
      html,
      messageId: `<test.${ctx.requestId}@${domainOf(settings.from)}>`,
    },
    ctx.signal,
  )
  return null
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
