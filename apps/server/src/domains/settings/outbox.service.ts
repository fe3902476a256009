import { z } from 'zod'
import type { Ctx, Lang } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { sayReason } from '../../kernel/phrase.ts'
import { open, seal } from '../../kernel/secrets/secrets.ts'
import type { Queue } from '../../kernel/jobs/queue.ts'
import { publicUrl } from './host.service.ts'
import { letter, type LetterTexts, ownLetter, type Template } from './letter.ts'
import { domainOf, opened, storedMail, type StoredMail } from './mail.service.ts'
import {
  administrators,
  type DueMail,
  endMail,
  insertMail,
  latestMails,
  mailsOf,
  postpone,
  recipientOf,
  takeDue,
} from './outbox.store.ts'

/** Woken by each written mail. */
export const deliver: Queue = { name: 'settings-deliver-mail', schema: z.object({}), timeoutSeconds: 600 }

/** Stands in a stored text for the secret that is encrypted beside it. */
const place = '{secret}'

export interface MailOrder<T extends Template> {
  /** An account, which gets no mail without an address; or an address and its language. */
  to: number | { address: string; lang: Lang }
  template: T
  vars: LetterTexts[T]
  /** What the mail is about: an account gets one mail per key. */
  key: string
  /** Path of the page that it links to, such as `/info`. */
  path?: string
  /** Secret end of the link, which the outbox keeps encrypted, and only while the mail waits. */
  secret?: string
}

const langOf = (chosen: string | null, { lang }: StoredMail): Lang =>
  chosen === 'zh' || chosen === 'en' ? chosen : lang

async function addressee(ctx: Ctx, to: MailOrder<Template>['to']) {
  if (typeof to !== 'number') return { ...to, name: to.address }
  const account = await recipientOf(ctx.db, to)
  return account && { address: account.email, lang: account.lang, name: account.nickname || account.userName }
}

/**
 * Puts a mail into the outbox, in the transaction of what it reports: it is sent exactly if that commits, and nobody
 * waits for the mail server. Does nothing while mail is disabled.
 */
export async function sendMail<T extends Template>(ctx: Ctx, order: MailOrder<T>): Promise<void> {
  const settings = await storedMail(ctx)
  if (!settings?.enabled) return
  const recipient = await addressee(ctx, order.to)
  if (!recipient || recipient.address === '') return
  const mail = letter(order.template, langOf(recipient.lang, settings), {
    ...order.vars,
    product: ctx.config.product.name,
    name: recipient.name,
    link: `${await publicUrl(ctx)}${order.path ?? '/'}${order.secret === undefined ? '' : place}`,
  })
  const secret = order.secret === undefined ? null : seal(ctx, order.secret)
  const key = `${order.template}:${typeof order.to === 'number' ? order.to : order.to.address}:${order.key}`
  if (await insertMail(ctx.db, { ...mail, key, recipient: recipient.address, secret }))
    await enqueue(ctx, deliver, {}, { key: 'now' })
}

export interface OwnMail {
  recipients: readonly string[]
  subject: string
  text: string
  /** The sender, as the signature shows it. */
  from: { pipeline: string; number: number; team: string }
  path: string
  /** An address gets one mail per key. */
  key: string
}

/** Puts a mail in a user's own words into the outbox, once per address. False while mail is disabled. */
export async function sendOwnMail(ctx: Ctx, { recipients, from, path, key, ...given }: OwnMail): Promise<boolean> {
  const settings = await storedMail(ctx)
  if (!settings?.enabled) return false
  const vars = { ...from, product: ctx.config.product.name }
  const mail = ownLetter(settings.lang, given, vars, `${await publicUrl(ctx)}${path}`)
  let isNew = false
  for (const recipient of recipients)
    isNew = (await insertMail(ctx.db, { ...mail, key: `${key}:${recipient}`, recipient, secret: null })) || isNew
  if (isNew) await enqueue(ctx, deliver, {}, { key: 'now' })
  return true
}

/** The state of the mails of a key, one per address. */
export const ownMails = (ctx: Ctx, key: string) => mailsOf(ctx.db, `${key}:`)

/** Sends to every administrator with an address. */
export async function sendMailToAdministrators<T extends Template>(
  ctx: Ctx,
  order: Omit<MailOrder<T>, 'to'>,
): Promise<void> {
  for (const { id } of await administrators(ctx.db)) await sendMail(ctx, { ...order, to: id })
}

/** Permanent refusals, which are not retried. */
const final: ReadonlySet<string> = new Set(['mail-recipient-refused', 'mail-sender-refused', 'mail-refused'])

const asFault = (ctx: Ctx, error: unknown): Fault => {
  if (error instanceof Fault) return error
  ctx.log.error({ err: error }, 'a mail could not be sent')
  return new Fault('badGateway', 'mail-broken', { host: '' })
}

async function tryOne(ctx: Ctx, settings: StoredMail, mail: DueMail): Promise<void> {
  try {
    const { recipient, subject, secret } = mail
    const whole = (text: string) => (secret === null ? text : text.replaceAll(place, open(ctx, secret)))
    await ctx.ports.mail.send(
      opened(ctx, settings),
      {
        from: { name: settings.fromName, address: settings.from },
        to: recipient,
        subject,
        text: whole(mail.text),
        html: whole(mail.html),
        messageId: `<outbox.${mail.id}@${domainOf(settings.from)}>`,
      },
      ctx.signal,
    )
    await endMail(ctx.db, mail.id, 'sent', null)
  } catch (error) {
    // the server is stopping, so the mail is due again after its lease
    if (ctx.signal.aborted) return
    const fault = asFault(ctx, error)
    const { key, vars } = fault
    ctx.log.warn({ mail: mail.id, attempt: mail.attempts, reason: key }, 'a mail was not taken')
    if (final.has(key) || mail.last) await endMail(ctx.db, mail.id, 'failed', { key, vars })
    else await postpone(ctx.db, mail.id, { key, vars })
  }
}

/** Tries all due mails, one after another. While mail is disabled they wait, and expire after a day. */
export async function deliverDue(ctx: Ctx): Promise<void> {
  const settings = await storedMail(ctx)
  if (!settings?.enabled) return
  while (!ctx.signal.aborted) {
    const mail = await takeDue(ctx.db)
    if (!mail) return
    await tryOne(ctx, settings, mail)
  }
}

const maxMails = 50

export async function readOutbox(ctx: Ctx) {
  const mails = await latestMails(ctx.db, maxMails)
  return mails.map((mail) => ({ ...mail, problem: mail.state === 'sent' ? '' : sayReason(ctx.lang, mail.problem) }))
}
