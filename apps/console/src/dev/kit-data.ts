import { z } from 'zod'
import { endpoint } from '@gantry/contract/endpoint'
import { listOf, listQuery } from '@gantry/contract/paging'
import { displayName, email, port } from '@gantry/contract/validators'

export interface Sample {
  id: number
  name: string
  state: string
  branch: string
  builds: number
  at: number
}

const states = ['success', 'building', 'FAILED', 'queued', 'aborted', '', 'maintenance']
const names = [
  'checkout-api',
  'ledger',
  'web-front',
  'mailer',
  'search-index',
  'auth-gateway',
  'report-nightly',
  'image-resizer',
]

export const samples: Sample[] = Array.from({ length: 137 }, (_, at) => ({
  id: at + 1,
  name: `${names[at % names.length] ?? ''}${at < names.length ? '' : `-${Math.floor(at / names.length)}`}`,
  state: states[at % states.length] ?? '',
  branch: at % 3 === 0 ? 'main' : 'release/2.4',
  builds: (at * 37) % 400,
  at: Date.now() - at * 3_700_000,
}))

const Item = z.object({ id: z.number(), name: z.string() })

export const people = endpoint({
  method: 'GET',
  path: '/dev/api/people',
  access: 'user',
  summary: 'People of the workshop',
  query: listQuery(),
  data: listOf(Item),
})

export const body = z.strictObject({
  name: displayName(30),
  email: email.optional(),
  port,
})

/** Answers the workshop's calls in the browser, so that it runs without a server. */
export function answerOwnCalls(): void {
  const real = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const url = new URL(String(input), location.href)
    if (!url.pathname.startsWith('/dev/api/')) return real(input, init)
    const page = Number(url.searchParams.get('requestPage') ?? 1)
    const pageSize = Number(url.searchParams.get('pageSize') ?? 20)
    const keyword = url.searchParams.get('keyword') ?? ''
    const all = samples.filter((sample) => sample.name.includes(keyword))
    const items = all.slice((page - 1) * pageSize, page * pageSize)
    const data = { items, requestPage: page, pageSize, totalSize: all.length }
    return Promise.resolve(Response.json({ status: 1, data, code: 200, message: '', errorMsg: null }))
  }
}

export const yamlText = `services:
  web:
    image: registry.local/shop/web:2.4.1
    replicas: 2
    ports: [8080]
    environment:
      LOG_LEVEL: info
  ledger:
    image: registry.local/shop/ledger:1.9.0
    replicas: 1
`

const esc = '\u001b['
export const logText = (n: number): string => {
  if (n % 17 === 0) return `${esc}33mwarning${esc}0m unused variable ${esc}1m\`total\`${esc}0m in src/cart.ts:${n}`
  if (n % 29 === 0) return `${esc}31;1mFAIL${esc}0m src/ledger.test.ts > ${esc}38;5;208mrounds half to even${esc}0m`
  if (n % 5 === 0) return `${esc}32m✓${esc}0m src/cart.test.ts (${n} ms)`
  return `compiling module ${n} of the shop, with dependencies resolved from the lock file`
}

/** Three series over an hour, one of them with a gap. */
export const courses = ['web-x2x4q', 'web-b7k9d', 'ledger-0'].map((name, at) => ({
  name,
  points: Array.from({ length: 12 }, (_, minute): [number, number | null] => [
    minute * 60_000,
    at === 1 && minute > 4 && minute < 8 ? null : Math.round(30 + at * 20 + 12 * Math.sin(minute / 2 + at)),
  ]),
}))
