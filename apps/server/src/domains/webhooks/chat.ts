import { createHmac } from 'node:crypto'
import type { ChatKind } from '@gantry/contract/webhooks/chat'
import { z } from 'zod'
import { tryParseJson } from '../../kernel/json.ts'
import type { Reason } from '../../kernel/phrase.ts'

export interface ChatMessage {
  text: string
  /** URL that the message links to; empty for none. */
  link: string
}

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64')

/** Removes everything that a chat reads as a link, a mention or formatting. */
const plain = (text: string): string => text.replaceAll(/[`*[\]<>]/g, ' ')

const markdown = ({ text, link }: ChatMessage): string =>
  link === '' ? plain(text) : `${plain(text)}\n\n[${new URL(link).host}](${link.replaceAll(')', '%29')})`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** URL and body of a message to a chat; each kind signs in its own way if there is a secret. */
export function chatRequest(
  kind: ChatKind,
  to: { url: string; secret: string },
  message: ChatMessage,
  now: Date,
): { url: string; body: object } {
  const { secret } = to
  switch (kind) {
    case 'dingtalk': {
      const url = new URL(to.url)
      const timestamp = String(now.getTime())
      if (secret !== '') {
        url.searchParams.set('timestamp', timestamp)
        url.searchParams.set('sign', hmac(secret, `${timestamp}\n${secret}`))
      }
      return {
        url: url.href,
        body: { msgtype: 'markdown', markdown: { title: plain(message.text), text: markdown(message) } },
      }
    }
    case 'wecom':
      return { url: to.url, body: { msgtype: 'markdown', markdown: { content: markdown(message) } } }
    case 'feishu': {
      const timestamp = String(Math.floor(now.getTime() / 1000))
      return {
        url: to.url,
        body: {
          ...(secret !== '' && { timestamp, sign: hmac(`${timestamp}\n${secret}`, '') }),
          msg_type: 'text',
          content: { text: [escaped(message.text), message.link].filter(Boolean).join('\n') },
        },
      }
    }
    case 'slack':
      return {
        url: to.url,
        body: { text: [escaped(message.text), message.link && `<${message.link}>`].filter(Boolean).join('\n') },
      }
  }
}

/** DingTalk and WeCom return errcode, Feishu code, or StatusCode in its older form; 0 means success. */
const Answer = z.object({
  errcode: z.number().optional(),
  errmsg: z.string().optional(),
  code: z.number().optional(),
  msg: z.string().optional(),
  StatusCode: z.number().optional(),
  StatusMessage: z.string().optional(),
})

const maxWords = 200

/**
 * Why a chat has not accepted a message, in its own words; null if it has. Most answer 200 even to what they refuse. Of
 * any other answer nothing is kept: it may be a page that only the platform can reach.
 */
export function chatProblem(kind: ChatKind, status: number, text: string): Reason | null {
  const good = status >= 200 && status <= 299
  if (kind === 'slack') {
    if (good && text.trim() === 'ok') return null
    const words = /^[a-z_ ]{1,60}$/.test(text.trim()) ? text.trim() : ''
    return words === '' ? unknown(status) : refused(status, words)
  }
  const answer = Answer.safeParse(tryParseJson(text)).data
  const code = answer?.errcode ?? answer?.code ?? answer?.StatusCode
  if (good && code === 0) return null
  const words = (answer?.errmsg ?? answer?.msg ?? answer?.StatusMessage ?? '').slice(0, maxWords)
  return code === undefined ? unknown(status) : refused(code, words)
}

const unknown = (status: number): Reason => ({ key: 'webhooks-chat-answer', vars: { status } })
const refused = (code: number, words: string): Reason => ({ key: 'webhooks-chat-refused', vars: { code, words } })
