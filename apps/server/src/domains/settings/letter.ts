import type { BuildEvent } from '@gantry/contract/notifications/build-event'
import type { Lang } from '../../kernel/context.ts'
import type { Vars } from '../../kernel/fault.ts'
import { isReason, type Reason, say, sayReason } from '../../kernel/phrase.ts'

interface BuildLetter {
  pipeline: string
  number: number
  team: string
  /** Who or what triggered it. */
  by: string
  /** Its branch or tag. */
  ref: string
}

/** What each mail tells, beside the recipient's name, the product's and, where it leads somewhere, a link. */
export interface LetterTexts extends Record<BuildEvent, BuildLetter> {
  test: { user: string }
  'account-created': { userName: string }
  registered: { userName: string; email: string }
  approved: { userName: string }
  banned: { userName: string; reason: 'by-hand' | 'passwords' }
  'password-expiring': { userName: string; days: number }
  'added-to-team': { team: string; by: string }
  'join-link': { team: string; by: string; hours: number }
  /** A reason is told in the recipient's language. */
  alarm: { text: Reason }
  /** What waits, of which team, and who asked for it. */
  decision: { text: Reason; team: string; by: string }
}

export type Template = keyof LetterTexts

type Common = { product: string; name: string; link: string }

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')

/** A value stays on its line and is no second paragraph: much of it is what people call themselves. */
const tame = (vars: Vars): Vars =>
  Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500) : value,
    ]),
  )

const style = 'font-family:system-ui,-apple-system,Segoe UI,sans-serif;font-size:14px;line-height:1.6'

/** A mail in a user's own words, and who has it sent: as plain text, and as HTML that says the same. */
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

/** The mail in words, twice: as plain text, and as HTML that says the same. */
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
