import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@gantry/waiting/eventually'
import type { Page, Request } from 'playwright-core'
import type { Look, Story } from '../story.ts'

/** The users who walk the screens: without a role, the leader of the team, the administrator. */
export type Walker = 'member' | 'leader' | 'admin'

/** Events that a page had received when it made a request. */
export interface Pushes {
  received: number
  /** Without those of the last second, which a busy page may handle after the request. */
  handled: number
}

/** A screen that was opened by its address and has settled. */
export interface Visit {
  /** The route's name. */
  name: string
  who: Walker
  look: Look
  story: Story
  page: Page
  /** The page's requests to the server in order, including files of the console. */
  requests: readonly Request[]
  /** The events that the server had pushed before each request. */
  pushes: ReadonlyMap<Request, Pushes>
}

/**
 * A rule for every screen. The walk finds it as the export `check` of a file in `checks/`. It answers faults as
 * sentences; none means correct. A check that takes time, or changes the screen, limits the users and looks for which
 * it runs.
 */
export type Check = (visit: Visit) => string[] | Promise<string[]>

const folder = join(import.meta.dirname, 'checks')

/** Every check by its name: first those that only read, then those that type, whose names begin with `then-`. */
export const loadChecks = (): Promise<[name: string, check: Check][]> =>
  Promise.all(
    readdirSync(folder)
      .map((file) => file.replace(/\.ts$/, ''))
      .sort((a, b) => Number(a.startsWith('then-')) - Number(b.startsWith('then-')) || a.localeCompare(b))
      .map(async (name): Promise<[string, Check]> => {
        const { check } = (await import(join(folder, `${name}.ts`))) as { check: Check }
        return [name, check]
      }),
  )

const quietMs = 100
const handlingMs = 1_000

/** Opens screens in the tab of this story. */
export function visitor(story: Story, who: Walker, look: Look): (name: string, at: string) => Promise<Visit> {
  const { page } = story
  let requests: Request[] = []
  let pushed: number[] = []
  let pushes = new Map<Request, Pushes>()
  let changed = 0
  let began = 0
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      // An event since the page began may have been missed, so the console reads again.
      const quietMs = Number(/"quietMs":(\d+)/.exec(String(payload))?.[1] ?? Infinity)
      if (Date.now() - quietMs > began || payload.includes('"content":')) pushed.push(Date.now())
    })
  })
  const open = new Set<Request>()
  const forget = () => {
    requests = []
    pushes = new Map()
    pushed = []
    open.clear()
    began = Date.now()
  }
  page.on('request', (request) => {
    changed = Date.now()
    // Pending requests of the previous screen do not count.
    if (request.isNavigationRequest()) forget()
    open.add(request)
    requests.push(request)
    const handled = pushed.filter((at) => at < changed - handlingMs).length
    pushes.set(request, { received: pushed.length, handled })
  })
  const ended = (request: Request) => {
    changed = Date.now()
    open.delete(request)
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return async (name, at) => {
    await page.goto(at)
    await page.locator('h1').first().waitFor()
    // Settled: no pending request, and no skeleton. Charts and streams continue.
    await eventually(
      async () => ({
        asks: [...open].map((request) => request.url()),
        quietMs: Date.now() - changed,
        skeletons: await page.locator('.g-skeleton').count(),
      }),
      (now) => now.asks.length === 0 && now.quietMs > quietMs && now.skeletons === 0,
    )
    return { name, who, look, story, page, requests, pushes }
  }
}
