import type { BuildEvent } from '@gantry/contract/notifications/build-event'
import type { Lang } from '../../kernel/context.ts'
import type { Vars } from '../../kernel/fault.ts'
import { isReason, type Reason, say, sayReason } from '../../kernel/phrase.ts'

interface BuildLetter {
  pipeline: string
  number: number
  team: string
  /** The user or cause that triggered it. */
  by: string
  /** Branch or tag. */
  ref: string
}

/** The variables of each mail, besides the names of recipient and product and an optional link. */
export interface LetterTexts extends Record<BuildEvent, BuildLetter> {
  test: { user: string }
  'account-created': { userName: string }
  registered: { userName: string; email: string }
  approved: { userName: string }
  banned: { userName: string; reason: 'by-hand' | 'passwords' }
  'password-expiring': { userName: string; days: number }
  'added-to-team': { team: string; by: string }
  'join-link': { team: string; by: string; hours: number }
  /** In the recipient's language. */
  alarm: { text: Reason }
  /** What waits, in which team, and who requested it. */
  decision: { text: Reason; team: string; by: string }
}

export type Template = keyof LetterTexts

type Common = { product: string; name: string; link: string }

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')

/** Keeps a value on its line, so that it adds no paragraph: many values are names that users chose. */
const tame = (vars: Vars): Vars =>
  Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500) : value,
    ]),
  )

const style = 'font-family:system-ui,-apple-system,Segoe UI,sans-serif;font-size:14px;line-height:1.6'

/** A mail in a user's own words with a signature, as plain text and as equivalent HTML. */
export function ownLetter(lang: Lang, given: { subject: string; text: string }, vars: Vars, link: string) {
  const signature = say(lang, 'mail-step-signature', tame(vars))
  const body = `<p style="white-space:pre-wrap">${escaped(given.text)}</p>`
  const foot = `<p>— <br>${escaped(signature)}<br><a href="${escaped(link)}">${escaped(link)}</a></p>`
  return {
    subject: String(tame({ subject: given.subject })['subject']),
    text: `${given.text}\n\n— \n${signature}\n${link}\n`,
    html: `<!doctype html><html lang="${lang}"><body style="${style}">${body}${foot}</body></html>`,
  }
}

/** A mail as plain text and as equivalent HTML. */
export function letter<T extends Template>(
  template: T,
  lang: Lang,
  vars: LetterTexts[T] & Common,
): { subject: string; text: string; html: string } {
  const known = tame(
    Object.fromEntries(
      Object.entries(vars).map(([name, value]) => [name, isReason(value) ? sayReason(lang, value) : value]),
    ),
  )
  if (template === 'banned')
    known['reason'] = say(lang, `mail-banned-${known['reason'] === 'passwords' ? 'passwords' : 'by-hand'}`)
  const link = String(known['link'])
  const paragraphs = [
    ...say(lang, 'mail-greeting', known).split('\n\n'),
    ...say(lang, `mail-${template}-text`, known).split('\n\n'),
    `— \n${say(lang, 'mail-signature', known)}`,
  ]
  const html = paragraphs.map((paragraph) =>
    paragraph === link
      ? `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`
      : `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`,
  )
  return {
    subject: say(lang, `mail-${template}-subject`, known),
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${lang}"><body style="${style}">${html.join('')}</body></html>`,
  }
}
