import type { ImageDetails } from '../../../adapters/registry/image.ts'
import type { Registry } from '../../../adapters/registry/registry.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { keyedSemaphore } from '../../../kernel/concurrency/keyed-semaphore.ts'
import { everyName, type Names } from '../../../kernel/paging.ts'
import type { RegistryView } from './place.ts'
import { recent } from './recent.ts'

/*
 * Lists and digests of tags are read from a registry at most every ten seconds, and an image of a digest once. The
 * number of concurrent calls to one registry is limited, whoever makes them.
 */

/** How long a registry that does not answer delays a page. */
const patienceMs = 5000
const freshMs = 10_000
const atOnce = 16

const turn = keyedSemaphore(atOnce)
const lists = recent<Names>(freshMs, 100)
const tags = recent<TagRead>(freshMs, 5000)
const images = recent<ImageDetails>(Infinity, 2000)

export interface TagRead {
  digest: string
  image: ImageDetails
}

const hostOf = ({ registry }: RegistryView): string => new URL(registry.url).host

/** Makes one call to the registry when it is its turn. */
export async function inTurn<T>(place: RegistryView, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const leave = await turn(place.registry.url, signal).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'TimeoutError'
      ? new Fault('badGateway', 'outbound-timeout', { host: hostOf(place) })
      : error
  })
  try {
    return await work()
  } finally {
    leave()
  }
}

const beginningOf = (place: RegistryView, repository: string): string => `${place.key}\n${repository}\n`

/** Independent of the caller's signal: the result is shared, and must survive the caller that began it. */
const budget = (): { within: number; signal: AbortSignal } => ({
  within: patienceMs,
  signal: AbortSignal.timeout(patienceMs),
})

export const repositoriesOf = ({ ports }: Ctx, place: RegistryView): Promise<Names> =>
  lists.get(`${place.key}\n`, () =>
    inTurn(place, budget().signal, () => {
      const until = performance.now() + patienceMs
      return everyName((page) =>
        ports.registry.repositories(place.access, { ...page, within: remainingMs(until, place) }),
      )
    }),
  )

export const tagNames = ({ ports }: Ctx, place: RegistryView, repository: string): Promise<Names> =>
  lists.get(beginningOf(place, repository), () =>
    inTurn(place, budget().signal, () => {
      const until = performance.now() + patienceMs
      return everyName((page) =>
        ports.registry.tags(place.access, repository, { ...page, within: remainingMs(until, place) }),
      )
    }),
  )

function remainingMs(until: number, place: RegistryView): number {
  const ms = until - performance.now()
  if (ms > 0) return ms
  throw new Fault('badGateway', 'outbound-timeout', { host: hostOf(place) })
}

const fetchImage = (
  registry: Registry,
  place: RegistryView,
  repository: string,
  reference: string,
  platform?: string,
) => {
  const { within, signal } = budget()
  return inTurn(place, signal, async (): Promise<TagRead> => {
    const found = await registry.manifest(place.access, repository, reference, { within })
    const image = await images.get([found.digest, platform].join(' '), () =>
      registry.image(place.access, repository, reference, { found, platform, within }),
    )
    return { digest: found.digest, image }
  })
}

/** The image of a listed tag, at most ten seconds old. A tag without a manifest is listed too: it is dangling. */
export const readTag = ({ ports }: Ctx, place: RegistryView, repository: string, tag: string): Promise<TagRead> =>
  tags.get(beginningOf(place, repository) + tag, () =>
    fetchImage(ports.registry, place, repository, tag).catch((error: unknown) => {
      if (!(error instanceof Fault) || error.key !== 'registry-image-unknown') throw error
      throw new Fault('missing', 'registry-tag-dangling', { host: hostOf(place), tag })
    }),
  )

/** The image as it is now, for one of its platforms. */
export const readImage = ({ ports }: Ctx, place: RegistryView, repository: string, tag: string, platform?: string) =>
  fetchImage(ports.registry, place, repository, tag, platform)

/** Called after something in the repository was deleted. */
export function forget(place: RegistryView, repository: string): void {
  lists.forget(beginningOf(place, repository))
  tags.forget(beginningOf(place, repository))
}
