import { BindRequest, PagedResultsControl, SearchRequest } from 'ldapts'
import { Fault } from '../../kernel/fault.ts'
import { maskEchoes } from '../../kernel/secrets/masking.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { ldapFault, resultCodes, resultFault } from './faults.ts'
import type { Filter } from './filter.ts'
import { createAdmission } from './names.ts'
import type { Answer, Session } from './session.ts'
import { connectTo, type LdapTarget, readTarget } from './socket.ts'
import { keyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.ts'
import { type FoundEntry, foundEntry, wireFilter } from './wire.ts'

export interface SearchWish {
  base: string
  scope: 'base' | 'sub'
  filter: Filter
  attributes: string[]
  /** Maximum entries to read. */
  limit: number
}

export interface Found {
  entries: FoundEntry[]
  /** There are more than `limit`, or more than the directory lets one see. */
  more: boolean
  /** The number of other servers that the directory referred to. They are never contacted. */
  references: number
}

/** A connected directory. Every failure is a Fault whose phrase names the cause. */
export interface Directory {
  /** host or host:port, for messages. */
  readonly host: string
  /**
   * Whether the directory accepts the password. An empty password is refused here, because many directories treat it as
   * anonymous and accept it.
   */
  bind(dn: string, password: string): Promise<boolean>
  search(wish: SearchWish): Promise<Found>
  close(): void
}

export interface OpenOptions {
  /** Milliseconds for everything, from waiting for a turn to the last answer. */
  budget: number
  /** Milliseconds for the connection, and then for each answer. Default: the budget. */
  patience?: number
  /** Maximum bytes of all answers. Default: 8 MiB. */
  maxBytes?: number
  signal?: AbortSignal
}

export interface Ldap {
  /** Connects. All calls on the directory share its budget; close it. */
  open(target: LdapTarget, options: OpenOptions): Promise<Directory>
}

/** Concurrent connections to one directory. */
const atOnce = 8

/** Result codes that mean a failed login, by directory: no such entry, no password, locked, disabled. */
const refusals = new Set<number>([
  resultCodes.constraint,
  resultCodes.noSuchObject,
  resultCodes.invalidDn,
  resultCodes.inappropriateAuth,
  resultCodes.invalidCredentials,
  resultCodes.insufficientAccess,
  resultCodes.unwilling,
])

const cut = new Set<number>([resultCodes.sizeLimit, resultCodes.adminLimit])

/**
 * Page size of a search: fewer round trips than 100, smaller answers than 1,000, which is Active Directory's maximum.
 */
const pageSize = 500

interface Open {
  session: Session
  host: string
  secondsLeft: () => number
  patience: number
  late: () => void
  /** Maps an error to its Fault. */
  failed: (error: unknown) => Fault
  release: () => void
}

function directory({ session, host, secondsLeft, patience, late, failed, release }: Open): Directory {
  async function timed(ask: Promise<Answer>): Promise<Answer> {
    const timer = setTimeout(late, patience)
    try {
      return await ask
    } catch (error) {
      throw failed(error)
    } finally {
      clearTimeout(timer)
    }
  }

  async function page({ base, scope, filter, attributes, limit }: SearchWish, cookie: Buffer | undefined) {
    const size = Math.min(limit + 1, pageSize)
    const paged = new PagedResultsControl({ value: { size, ...(cookie && { cookie }) } })
    const answer = await timed(
      session.ask(
        (messageId) =>
          new SearchRequest({
            messageId,
            baseDN: base,
            scope,
            filter: wireFilter(filter),
            attributes,
            timeLimit: secondsLeft(),
            ...(scope === 'sub' && { controls: [paged] }),
          }),
      ),
    )
    const control = answer.controls?.find((one) => one instanceof PagedResultsControl)
    return { ...answer, next: control?.value?.cookie?.length ? control.value.cookie : undefined }
  }

  return {
    host,
    async bind(dn, password) {
      if (password === '') return false
      const { status, text } = await timed(session.ask((messageId) => new BindRequest({ messageId, dn, password })))
      if (status === resultCodes.success) return true
      if (refusals.has(status)) return false
      throw resultFault(status, maskEchoes(text, [password]), host, dn)
    },
    async search(wish) {
      const entries: FoundEntry[] = []
      let references = 0
      for (let cookie: Buffer | undefined; ;) {
        const answer = await page(wish, cookie)
        entries.push(...answer.entries.map(foundEntry))
        references += answer.references
        const over = cut.has(answer.status)
        if (answer.status !== resultCodes.success && !over)
          throw resultFault(answer.status, answer.text, host, wish.base)
        if (over || entries.length > wish.limit || answer.next === undefined)
          return { entries: entries.slice(0, wish.limit), more: over || entries.length > wish.limit, references }
        cookie = answer.next
      }
    },
    close() {
      session.close()
      release()
    },
  }
}

/** Directories that administrators configure, contacted under the outbound rules. */
export function createLdap(outbound: Outbound): Ldap {
  const turn = keyedSemaphore(atOnce)
  const admit = createAdmission(outbound)
  return {
    async open(target, { budget, patience = budget, maxBytes = 8 * 1_048_576, signal }) {
      const { name: host, port, host: address } = readTarget(target)
      const until = Date.now() + budget
      const deadline = new AbortController()
      const late = (): void => deadline.abort(new Fault('unavailable', 'ldap-timeout', { host }))
      const timer = setTimeout(late, budget)
      const connecting = setTimeout(late, patience)
      const ends = signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal
      const failed = (error: unknown): Fault => ldapFault(ends.aborted ? ends.reason : error, host)
      let leave: (() => void) | undefined
      const release = (): void => {
        clearTimeout(timer)
        clearTimeout(connecting)
        leave?.()
      }
      try {
        leave = await turn(`${address}:${port}`, ends)
        const session = await connectTo(target, { admit, systemCa: outbound.ca, signal: ends, maxBytes })
        clearTimeout(connecting)
        const secondsLeft = (): number => Math.max(1, Math.ceil((until - Date.now()) / 1_000))
        return directory({ session, host, secondsLeft, patience, late, failed, release })
      } catch (error) {
        release()
        throw failed(error)
      }
    },
  }
}
