import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { Fault } from '../../../kernel/fault.ts'

/** argon2id; each run takes 19 MiB, so only a few may run at a time. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2
const queueLength = 100

let running = 0
const waiting: (() => void)[] = []

/** Runs two at a time, in order of arrival. Refused while a hundred wait. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) running++
  else if (waiting.length >= queueLength) throw new Fault('tooMany', 'login-busy')
  else await new Promise<void>((go) => waiting.push(go))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** A hash that no password matches, as costly to check as a real one. */
const nobodys = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${unpadded(randomBytes(16))}$${unpadded(randomBytes(32))}`

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost))

/**
 * Whether the password matches the hash. Null, for an unknown user or one without a password, costs the same and is
 * false.
 */
export async function hasHash(password: string, stored: string | null): Promise<boolean> {
  const right = await inTurn(() => verify(stored ?? nobodys, password))
  return stored !== null && right
}
