import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { isEnded } from '@gantry/contract/pipelines/states'
import { sample, type Sample } from '@gantry/contract/sample/sample'
import { noBrowser, openBrowser } from '../e2e/browser.ts'
import type { Product } from '../e2e/product.ts'
import { shiftOf } from '../e2e/walk/checks/layout-shift.ts'
import { weigh } from '../e2e/walk/weight.ts'
import { figure, ms } from './figures.ts'
import { type Page, signIn } from './page.ts'

type Session = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

declare global {
  /** When the main element is drawn and the page responds, in milliseconds since the page began to load. */
  var usable: Promise<number>
}

/** Runs in the page: looks for the element at each frame, then waits until the page has no other work. */
const noteUsable = (selector: string) => {
  globalThis.usable = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`no ${selector} at ${location.pathname} within 30 s`)), 30_000)
    const look = () => {
      if (!document.querySelector(selector)) return void requestAnimationFrame(look)
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    }
    requestAnimationFrame(look)
  })
}

const rounds = 7
const pause = (millis: number) => new Promise((later) => setTimeout(later, millis))

/** Makes a build with a log of 100,000 lines, and the sample; answers the addresses of their pages. */
async function prepare({ admin }: Product, teamId: number): Promise<{ build: string; service: string }> {
  const { call } = admin
  const inTeam = { params: { teamId } }
  await call(sample.create, inTeam)
  const { id: appId } = await call(groups.create, { ...inTeam, body: { name: 'screens' } })
  const run = "seq -f 'line %.0f of a build that has much to say' 1 100000"
  const { id } = await call(definitions.create, {
    body: {
      appId,
      projectName: 'talker',
      definition: { stages: [{ name: 'only', steps: [{ type: 'script', name: 'run', run }] }] },
    },
  })
  const { number } = await call(builds.trigger, { params: { id }, body: {} })
  while (!isEnded((await call(builds.get, { params: { id, number } })).state)) await pause(200)
  let made: Sample
  do {
    await pause(500)
    made = await call(sample.get, inTeam)
  } while (made.build?.state !== 'success' || !made.stack || !made.service)
  const { stack, service } = made
  return {
    build: `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}/history/${number}/info`,
    service: `/teams/${teamId}/appcenter/env/${stack.envId}/stack/${stack.id}/${stack.uuid}/${stack.name}/services/${service.id}/${service.name}/bs/containers/from/app`,
  }
}

/**
 * What a person with an empty cache waits for on each screen: the time until it can be used, the compressed (brotli)
 * size of what it loads, and how far elements that are already visible move.
 */
export async function benchScreens(product: Product, teamId: number): Promise<void> {
  if (noBrowser) return console.log(`screens: skipped, ${noBrowser}`)
  const { build, service } = await prepare(product, teamId)
  const browser = await openBrowser()
  const viewport = { width: 1440, height: 900 }
  const open = async (storageState?: Session) => {
    const context = await browser.newContext({
      baseURL: product.url,
      viewport,
      ...(storageState === undefined ? {} : { storageState }),
    })
    return { context, page: await context.newPage() }
  }
  /**
   * What `look` finds in a page in each round, nothing cached. A round does not count if the machine's networks change
   * (a container or a cluster starts on it): Chromium then aborts its requests, and the console reloads itself.
   */
  const measure = async <Found>(look: (page: Page) => Promise<Found>, state?: Session): Promise<Found[]> => {
    const all: Found[] = []
    let disturbed = 0
    while (all.length < rounds) {
      const { context, page } = await open(state)
      let isDisturbed = false
      page.on('requestfailed', (request) => {
        if (request.failure()?.errorText === 'net::ERR_NETWORK_CHANGED') isDisturbed = true
      })
      try {
        const found = await look(page)
        if (!isDisturbed) all.push(found)
      } catch (error) {
        if (!isDisturbed) throw error
      }
      await context.close()
      if (isDisturbed && (disturbed += 1) > rounds) throw new Error("the machine's networks change all the time")
    }
    return all
  }
  const signedIn = async (): Promise<Session> => {
    const { context, page } = await open()
    await page.goto('/login')
    await signIn(page)
    await page.locator('h1').first().waitFor()
    const state = await context.storageState()
    await context.close()
    return state
  }
  try {
    const list = `/teams/${teamId}/cd`
    const screens = [
      ['login', '/login', 'form button', false],
      ['pipelines', list, '.g-table tbody tr', true],
      ['Applications', `/teams/${teamId}/appcenter`, 'main a[href*="/services/"]', true],
      ['a build of 100,000 lines', build, '.g-log-line', true],
      ['a service', service, '.g-table tbody tr', true],
    ] as const
    for (const [name, address, selector, behindLogin] of screens) {
      const state = behindLogin ? await signedIn() : undefined
      const found = await measure(async (page) => {
        await page.addInitScript(noteUsable, selector)
        const weight = weigh(page)
        await page.goto(address)
        const usable = await page.evaluate(() => globalThis.usable)
        return { usable, ...(await weight()), shift: (await shiftOf(page)).sum }
      }, state)
      const each = (what: 'usable' | 'kB' | 'requests' | 'shift') => found.map((round) => round[what])
      figure(`${name}, nothing cached: usable`, each('usable'), ms)
      figure(`${name}: loaded`, each('kB'), (kB) => `${kB.toFixed(0)} kB`)
      figure(`${name}: loaded in`, each('requests'), (count) => `${count} requests`)
      figure(`${name}: layout shift`, each('shift'), (sum) => `${sum.toFixed(3)} CLS`)
    }
    const after = await measure(async (page) => {
      const weight = weigh(page)
      await page.goto(list)
      await page.waitForURL('**/login')
      await page.locator('h1').first().waitFor()
      await weight()
      await signIn(page)
      await page.locator('.g-table').first().waitFor()
      return weight()
    })
    figure(
      'pipelines after the login: loaded',
      after.map(({ kB }) => kB),
      (kB) => `${kB.toFixed(0)} kB`,
    )
    figure(
      'pipelines after the login: loaded in',
      after.map(({ requests }) => requests),
      (count) => `${count} requests`,
    )
  } finally {
    await browser.close()
  }
}
