import { Fault } from './fault.ts'

/**
 * Whoever deletes something by its number says its name too, so that a wrong number alone deletes nothing. Undefined: the
 * product deletes what it made itself.
 */
export function mustConfirm(given: string | undefined, name: string): void {
  if (given !== undefined && given !== name) throw new Fault('invalid', 'confirm-name-mismatch', { name })
}
